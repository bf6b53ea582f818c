/** Which languages an index needs stemmers of. Imports nothing: the service worker asks too. */

/**
 * Whether the documents of a manifest are in languages other than English that have stemmers.
 *
 * @param manifest the text of `manifest.json`; what cannot be read needs none, and says why when it is mounted
 */
export function needsLanguages(manifest: string): boolean {
  try {
    const { segments } = JSON.parse(manifest) as { segments: { languages: string[] }[] };
    return segments.some(({ languages }) => languages.length > 0);
  } catch {
    return false;
  }
}
