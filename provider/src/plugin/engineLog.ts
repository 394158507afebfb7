/** Sends lines to the engine's log, which shows them under their resource. */
import * as grpc from "@grpc/grpc-js";
import { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { escapedLines } from "../text";
import { LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb";

export class EngineLog {
  #client: EngineClient | undefined;

  /** Sets the address of the engine. The client connects for the first line. Earlier lines are lost. */
  attach(address: string): void {
    this.#client?.close();
    // Not through `https_proxy`: the engine is on this machine.
    const options = { "grpc.enable_http_proxy": 0 };
    this.#client = new EngineClient(address, grpc.credentials.createInsecure(), options);
  }

  loggerFor(urn: string) {
    let delivered = Promise.resolve();
    const log = (severity: LogSeverity, message: string, isEphemeral = false) => {
      const request = new LogRequest().setSeverity(severity).setUrn(urn).setMessage(escapedLines(message));
      request.setEphemeral(isEphemeral);
      // One after the other, because the engine may print parallel requests in any order.
      delivered = delivered.then(() => this.#send(request));
    };
    return {
      info: (line: string, isProgress?: boolean) => {
        log(LogSeverity.INFO, line, isProgress);
      },
      warn: (line: string) => {
        log(LogSeverity.WARNING, line);
      },
      /** Resolves when the engine has all lines. The operation must not end before that. */
      delivered: () => delivered,
    };
  }

  /** A line that can't be delivered doesn't fail the operation. */
  async #send(request: LogRequest): Promise<void> {
    const client = this.#client;
    if (client) await new Promise((resolve) => client.log(request, resolve));
  }
}
