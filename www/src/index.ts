/** `querent.js`: the JavaScript API, and the element, which importing this defines. */

export { Querent } from "./client.js";
export { QuerentError, type ErrorCode } from "./errors.js";
export { QuerentSearch } from "./element/element.js";
export type { Strings } from "./element/strings.js";
export { registerServiceWorker } from "./offline.js";
export type * from "./types.js";

import { register } from "./element/element.js";

register();
