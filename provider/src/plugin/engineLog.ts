/** Sends lines to the engine's log, which shows them under their resource. */
import * as grpc from "@grpc/grpc-js";
import { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb";
import type { Logger } from "../core/lifecycle";

export interface ResourceLogger extends Logger {
  /** Resolves when the engine has all lines. The operation must not end before that. */
  delivered(): Promise<void>;
}

export class EngineLog {
  #client: EngineClient | undefined;

  /** Sets the address of the engine. The client connects for the first line. Earlier lines are lost. */
  attach(address: string): void {
    this.#client?.close();
    this.#client = new EngineClient(address, grpc.credentials.createInsecure());
  }

  loggerFor(urn: string): ResourceLogger {
    let delivered = Promise.resolve();
    const log = (severity: LogSeverity, message: string, isEphemeral = false) => {
      const request = new LogRequest().setSeverity(severity).setUrn(urn).setMessage(message);
      request.setEphemeral(isEphemeral);
      // One after the other, because the engine may print parallel requests in any order.
      delivered = delivered.then(() => this.#send(request));
    };
    return {
      info: (line, isProgress) => {
        log(LogSeverity.INFO, line, isProgress);
      },
      warn: (line) => {
        log(LogSeverity.WARNING, line);
      },
      delivered: () => delivered,
    };
  }

  /** A line that can't be delivered doesn't fail the operation. */
  #send(request: LogRequest): Promise<void> {
    return new Promise((resolve) => {
      if (!this.#client) resolve();
      else
        this.#client.log(request, () => {
          resolve();
        });
    });
  }
}
