/** Errors in the form that the engine expects. */
import * as grpc from "@grpc/grpc-js";
import { ErrorResourceInitFailed } from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { Any } from "google-protobuf/google/protobuf/any_pb";
import type { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { toUserGroupError } from "../errors";

/** The operation failed in part: the engine records the properties and prints the reasons. */
export class PartialFailureError extends Error {
  constructor(
    readonly id: string,
    readonly properties: Struct,
    readonly reasons: readonly string[],
  ) {
    super(reasons[0]);
  }
}

export function toGrpcError(error: unknown): Partial<grpc.StatusObject> {
  if (error instanceof PartialFailureError) return withDetails(error);
  return { code: grpc.status.UNKNOWN, details: toUserGroupError(error).message };
}

function withDetails({ id, properties, reasons, message }: PartialFailureError): Partial<grpc.StatusObject> {
  const failed = new ErrorResourceInitFailed()
    .setId(id)
    .setProperties(properties)
    .setReasonsList([...reasons]);
  const detail = new Any();
  detail.pack(failed.serializeBinary(), "pulumirpc.ErrorResourceInitFailed");
  // The engine prints the reasons, which contain the message.
  const status = new Status().setCode(grpc.status.UNKNOWN).setMessage("").setDetailsList([detail]);
  const metadata = new grpc.Metadata();
  metadata.set("grpc-status-details-bin", Buffer.from(status.serializeBinary()));
  return { code: grpc.status.UNKNOWN, details: message.split("\n")[0] ?? "", metadata };
}
