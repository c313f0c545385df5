import { Fault, or, Type, vendor, type Reply } from '../../core/sdk/index.js'

/** Judge0 CE, on an own instance. The token is for servers that require one. */
export const judge0 = vendor({
  id: 'judge0',
  title: 'Judge0 (own instance)',
  home: 'https://ce.judge0.com',
  needsUrl: true,
  secrets: { api_key: 'JUDGE0_API_KEY' },
  keylessWithUrl: true,
  settings: Type.Object({
    python: or(Type.Integer({ description: 'Language id of Python 3 on this server.' }), 71),
    javascript: or(Type.Integer({ description: 'Language id of Node on this server.' }), 63),
    shell: or(Type.Integer({ description: 'Language id of bash on this server.' }), 46),
    max_wall_seconds: or(Type.Integer({ minimum: 1, maximum: 300, description: 'MAX_WALL_TIME_LIMIT of this server.' }), 20),
    max_cpu_seconds: or(Type.Integer({ minimum: 1, maximum: 300, description: 'MAX_CPU_TIME_LIMIT of this server.' }), 15),
    max_memory_kb: or(
      Type.Integer({ minimum: 2048, maximum: 512_000, description: 'MAX_MEMORY_LIMIT of this server; a program gets all of it.' }),
      512_000,
    ),
  }),
  auth: (secret) => ({ headers: { 'x-auth-token': secret('api_key') } }),
  fault: refusal,
})

/**
 * The server rejects the program: 422 names fields set by the adapter, not by the caller; another vendor may accept
 * it.
 */
function refusal({ status, body }: Reply): Fault | undefined {
  if (status !== 422) return undefined
  return new Fault('missing', 'Judge0 does not accept this program.', {
    internal: `raise the limits of the server or set those of vendor judge0: ${JSON.stringify(body).slice(0, 500)}`,
  })
}
