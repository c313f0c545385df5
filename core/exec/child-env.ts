/**
 * The environment of a child, and nothing else: Node hands NODE_V8_COVERAGE of its own environment on to every child, an explicit
 * environment notwithstanding, unless the name is there without a value.
 */
export function childEnv(variables: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  return { ...variables, NODE_V8_COVERAGE: undefined }
}
