import type { Emulator } from "../../../provider/src/testing";
import type { Environment } from "../../harness/run";
import type { Launch } from "./launcher";
import type { Program } from "./project";

export interface StackOptions extends Pick<Launch, "echo" | "patience"> {
  /** The text of index.js, or the texts of files by their names. */
  readonly program: Program;
  /** The folder in which the program finds packages. Default: that of the repository. */
  readonly modules?: string | undefined;
  /** Its address and API token go into the environment; without one, there are no settings. */
  readonly emulator?: Emulator | undefined;
  /** Goes into the stack's configuration, before the first operation. */
  readonly config?: Readonly<Record<string, string | { readonly secret: string }>>;
  /** On top of the environment that the harness makes; undefined takes a variable away. */
  readonly env?: Environment;
  /** Other services that the program uses, whose tokens must not be seen either. */
  readonly services?: readonly Emulator[];
  /** Texts that must not be seen either, beside the tokens: say, a property that a program wraps in pulumi.secret. */
  readonly secrets?: readonly string[];
}

export interface Run extends Pick<Launch, "started"> {
  /** Such as `["--diff"]`. */
  readonly flags?: readonly string[];
  /** On top of the stack's environment. */
  readonly env?: Environment;
  /** Whether the output may have secrets: it is neither echoed nor searched. */
  readonly isPlain?: boolean;
}
