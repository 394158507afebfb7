/** How the method Check reads its request: google-protobuf drops a key, of which check must know. */
import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { Value } from "google-protobuf/google/protobuf/struct_pb";

/** An entry of a map with the key `__proto__`, as it is encoded. */
const droppedEntry = "\n\t__proto__\u0012";

/** google-protobuf drops the key `__proto__`, so check gets an argument that doesn't exist instead. */
export const checkDefinition: typeof ResourceProviderService.check = {
  ...ResourceProviderService.check,
  requestDeserialize(bytes) {
    const request = ResourceProviderService.check.requestDeserialize(bytes);
    if (bytes.includes(droppedEntry))
      request.getNews()?.getFieldsMap().set("with the key __proto__", Value.fromJavaScript(true));
    return request;
  },
};
