import type { handleUnaryCall } from "@grpc/grpc-js";
import { toGrpcError } from "./grpcErrors";

/** A function that returns or throws → a method of a gRPC server. */
export function unaryMethod<Request, Response>(
  method: (request: Request) => Response | Promise<Response>,
): handleUnaryCall<Request, Response> {
  return (call, callback) => {
    Promise.resolve()
      .then(() => method(call.request))
      .then(
        (response) => {
          callback(null, response);
        },
        (error: unknown) => {
          callback(toGrpcError(error));
        },
      );
  };
}
