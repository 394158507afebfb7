/** Both dynamic providers, with their dependencies on the process that the engine starts for each deployment. */
import { createRequire } from "node:module";
import * as z from "zod";
import { endWithEngine, flushCompiledCode, sayAtEnd } from "../engine";
import { EngineLog, type EngineProtocol, type OperationLogger } from "../engineLog";
import { newDeployment, type Deployment } from "../../core/deployment/context";
import { lifecycleOf } from "../../core/lifecycle";
import { userGroupShape, userGroupsShape, type Shape } from "../../core/state/shapes";
import { systemClock } from "../../service/http/clock";
import type { Configuration } from "../../settings/readSettings";
import { dynamicProvider, type Begin } from "./dynamicProvider";

const isClass = (value: unknown) => typeof value === "function";
const isModule = (value: unknown) => typeof value === "object" && value !== null;
const sdkModules = {
  grpc: z.object({
    credentials: z.object({ createInsecure: z.custom<() => EngineProtocol["credentials"]>(isClass) }),
  }),
  service: z.custom<EngineProtocol["service"]>(isModule),
  messages: z.custom<EngineProtocol["messages"]>(isModule),
};

export interface DynamicDependencies extends Pick<Deployment, "clock" | "signal"> {
  /** The settings of the deployment are read from it, once. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** `identity`: what the resource's URN says after stack and project; empty: not known. */
  readonly loggerFor: (identity: string) => OperationLogger;
  readonly onConfigure?: () => void;
}

/** New providers for one deployment. They share its facts and its configuration. */
export function dynamicProviders({
  environment,
  loggerFor,
  onConfigure,
  ...dependencies
}: DynamicDependencies) {
  let current: Configuration | undefined;
  const configure = (configuration: Configuration) => {
    current = configuration;
    onConfigure?.();
  };
  const deployment: Omit<Deployment, "logger"> = {
    ...dependencies,
    ...newDeployment({ environment, configuration: { get: (key) => current?.get(key) } }),
  };
  const beginOf =
    (shape: Shape): Begin =>
    (identity) => {
      const logger = loggerFor(identity);
      return { lifecycle: lifecycleOf(shape, { ...deployment, logger }), logger };
    };
  return {
    userGroup: dynamicProvider(beginOf(userGroupShape), configure),
    userGroups: dynamicProvider(beginOf(userGroupsShape), configure),
    /** At the end of the deployment. */
    end: () => sayAtEnd(deployment, loggerFor("")),
  };
}

const log = new EngineLog({ protocol: sdkProtocol, write: (text) => process.stderr.write(text) });
// The engine passes its address to the SDK's process, which loads this file.
const engine = process.argv[2];
if (engine !== undefined && /:\d+$/.test(engine)) log.attach(engine);

/** Those of this process, which the engine starts for one deployment. */
const providers = dynamicProviders({
  environment: process.env,
  loggerFor: (identity) => log.loggerFor(identity),
  clock: systemClock,
  signal: new AbortController().signal,
  onConfigure: () => {
    endWithEngine(providers.end);
    flushCompiledCode();
  },
});

export const { userGroup, userGroups } = providers;

/** That of the SDK, which the process has loaded, with the SDK's own gRPC package. */
function sdkProtocol(): EngineProtocol {
  const sdk = createRequire(require.resolve("@pulumi/pulumi/proto/engine_grpc_pb"));
  return {
    service: sdkModules.service.parse(sdk("@pulumi/pulumi/proto/engine_grpc_pb")),
    messages: sdkModules.messages.parse(sdk("@pulumi/pulumi/proto/engine_pb")),
    credentials: sdkModules.grpc.parse(sdk("@grpc/grpc-js")).credentials.createInsecure(),
  };
}
