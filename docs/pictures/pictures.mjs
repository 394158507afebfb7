import { dataFlow } from "./dataFlow.mjs";
import { preview, pullRequest } from "./output.mjs";
import { rename } from "./rename.mjs";

/** The drawn files of this folder by name. */
export const pictures = new Map(
  Object.entries({
    "data-flow.svg": dataFlow,
    "preview.svg": preview,
    "pull-request.svg": pullRequest,
    "rename.svg": rename,
  }),
);
