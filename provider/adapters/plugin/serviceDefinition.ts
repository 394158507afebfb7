/** The gRPC service of a provider, with a Check that knows of a key that google-protobuf drops. */
import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { Value } from "google-protobuf/google/protobuf/struct_pb";

/** An entry of a map with the key `__proto__`, as it is encoded. */
const droppedEntry = "\n\t__proto__\u0012";

/** google-protobuf drops the key `__proto__`, so check gets an argument that doesn't exist instead. */
const check: typeof ResourceProviderService.check = {
  ...ResourceProviderService.check,
  requestDeserialize(bytes) {
    const request = ResourceProviderService.check.requestDeserialize(bytes);
    if (bytes.includes(droppedEntry))
      request.getNews()?.getFieldsMap().set("with the key __proto__", Value.fromJavaScript(true));
    return request;
  },
};

export const serviceDefinition = { ...ResourceProviderService, check };
