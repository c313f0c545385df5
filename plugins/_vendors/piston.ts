import { Fault, or, Type, vendor, type Reply } from '../../core/sdk/index.js'

/** Piston, on an own instance. */
export const piston = vendor({
  id: 'piston',
  title: 'Piston (own instance)',
  home: 'https://github.com/engineer-man/piston',
  needsUrl: true,
  settings: Type.Object({
    max_seconds: or(
      Type.Integer({ minimum: 1, maximum: 300, description: 'PISTON_RUN_TIMEOUT and PISTON_RUN_CPU_TIME of this server, in seconds.' }),
      3,
    ),
    memory_mb: or(
      Type.Integer({
        minimum: 16,
        maximum: 4096,
        description: 'Memory of one program in MiB; not above PISTON_RUN_MEMORY_LIMIT of this server.',
      }),
      512,
    ),
  }),
  fault: refusal,
})

/**
 * 400 means a missing runtime or a limit above the server's: faults of this server, not of the caller; another vendor
 * may accept the program.
 */
function refusal({ status, body }: Reply): Fault | undefined {
  if (status !== 400 || typeof body !== 'object' || body === null || !('message' in body) || typeof body.message !== 'string')
    return undefined
  if (/runtime is unknown/.test(body.message))
    return new Fault('missing', 'This language is not installed on the Piston server.', { internal: body.message })
  if (/cannot exceed the configured limit/.test(body.message)) {
    return new Fault('missing', 'The Piston server does not allow this much time or memory.', {
      internal: `set max_seconds and memory_mb of vendor piston: ${body.message}`,
    })
  }
  return undefined
}
