/** One way to fetch: an answer that can be used, or an error that says what to check. */

import { QuerentError } from "../errors.js";

/**
 * Fetches, and rejects with the code `fetch` when there is no usable answer.
 *
 * @param init what `fetch` takes
 * @param missing what to throw where the server says that there is no such file
 */
export async function fetchOk(url: URL, init?: RequestInit, missing?: QuerentError): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(url, init);
  } catch (thrown) {
    throw new QuerentError("fetch", `${url.href} cannot be reached (${String(thrown)}); check the connection`);
  }
  if (response.ok) return response;
  if (missing && response.status === 404) throw missing;
  throw new QuerentError("fetch", `${url.href} answered ${response.status}; check that the whole folder was copied`);
}
