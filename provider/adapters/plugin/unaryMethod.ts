import * as grpc from "@grpc/grpc-js";
import { ErrorResourceInitFailed } from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { Any } from "google-protobuf/google/protobuf/any_pb";
import { PartialFailureError } from "../results";
import { toUserGroupError } from "../../errors";
import { toStruct } from "./properties";

/** A function that returns or throws → a method of a gRPC server. */
export function unaryMethod<Request, Response>(
  method: (request: Request) => Response | Promise<Response>,
): grpc.handleUnaryCall<Request, Response> {
  return (call, callback) => {
    const called = (async () => method(call.request))();
    called.then(
      (response) => {
        callback(null, response);
      },
      (error: unknown) => {
        callback(toGrpcError(error));
      },
    );
  };
}

function toGrpcError(error: unknown): Partial<grpc.StatusObject> {
  const { message } = toUserGroupError(error);
  const metadata = error instanceof PartialFailureError ? partialFailure(error) : new grpc.Metadata();
  return { code: grpc.status.UNKNOWN, details: message, metadata };
}

function partialFailure({ id, properties, reasons }: PartialFailureError): grpc.Metadata {
  const failed = new ErrorResourceInitFailed()
    .setId(id)
    .setProperties(toStruct(properties))
    .setReasonsList([...reasons]);
  const detail = new Any();
  detail.pack(failed.serializeBinary(), "pulumirpc.ErrorResourceInitFailed");
  // The engine prints the reasons, which contain the message.
  const status = new Status().setCode(grpc.status.UNKNOWN).setMessage("").setDetailsList([detail]);
  const metadata = new grpc.Metadata();
  metadata.set("grpc-status-details-bin", Buffer.from(status.serializeBinary()));
  return metadata;
}
