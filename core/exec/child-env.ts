/**
 * The exact environment of a child: Node passes NODE_V8_COVERAGE of its own environment to every child, even with an explicit
 * environment, unless that defines the name without a value.
 */
export function childEnv(variables: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  return { ...variables, NODE_V8_COVERAGE: undefined }
}
