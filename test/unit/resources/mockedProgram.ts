/** What a program's resources register with the engine, and what they make of its response. */
import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { z } from "zod";

/** Starts the SDK's mocks, which return a resource's inputs and `outputs`. Collects what is registered or read. */
export async function mockEngine(
  outputs: (inputs: Record<string, unknown>, name: string) => object,
  { isPreview = false } = {},
): Promise<readonly pulumi.runtime.MockResourceArgs[]> {
  const registered: pulumi.runtime.MockResourceArgs[] = [];
  const mocks: pulumi.runtime.Mocks = {
    newResource(args) {
      registered.push(args);
      const inputs = record(args.inputs);
      const id = args.id === undefined || args.id === "" ? "id" : args.id;
      return { id, state: { ...inputs, ...outputs(inputs, args.name) } };
    },
    call: () => assert.fail("a function is called"),
  };
  await pulumi.runtime.setMocks(mocks, undefined, undefined, isPreview);
  return registered;
}

export function record(value: unknown): Record<string, unknown> {
  return z.record(z.string(), z.unknown()).parse(value);
}

export function valueOf<Value>(output: pulumi.Output<Value>): Promise<Value> {
  return new Promise((resolve) => void output.apply(resolve));
}

/** Makes a resource, and gives it with the options that the engine gets. */
export async function withOptions<Made extends pulumi.Resource>(
  make: (options: pulumi.CustomResourceOptions) => Made,
  options: pulumi.CustomResourceOptions = {},
): Promise<{ readonly made: Made; readonly options: pulumi.CustomResourceOptions }> {
  let seen: pulumi.CustomResourceOptions = {};
  const look: pulumi.ResourceTransformation = ({ opts }) => {
    seen = opts;
    return undefined;
  };
  const made = make({ ...options, transformations: [look] });
  await valueOf(made.urn);
  return { made, options: seen };
}
