/**
 * Addresses from an index are data: only those that lead to a web document become links.
 */

/**
 * The absolute address of `url`, or nothing when it is not one of HTTP.
 *
 * @param url absolute, or relative to `root`
 * @param root folder that relative addresses start from
 */
export function safeUrl(url: string, root: string): string | undefined {
  try {
    const resolved = new URL(url, root);
    return resolved.protocol === "https:" || resolved.protocol === "http:" ? resolved.href : undefined;
  } catch {
    return undefined;
  }
}
