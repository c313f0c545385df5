import { camel, title } from './names.js'
import type { Form, ProviderPlace } from './form.js'

/** A file is sent to a vendor, which processes it as a job and returns a file. */
export const fileForm: Form = {
  contract: {
    imports: 'Type, capability, flat',
    input: ["file_url: Type.String({ format: 'uri', maxLength: 8192, description: 'Address of the file to work on.' }),"],
    output: [
      "file_url: Type.String({ description: 'Signed link to the file after the work.' }),",
      "file_size: Type.Integer({ description: 'Bytes.' }),",
      "expires_at: Type.String({ description: 'When the link ends, ISO 8601.' }),",
    ],
    timeoutMs: '60_000',
    example: "{ title: 'Work on a file', params: { file_url: 'https://example.com/speech.txt' } }",
  },
  provider,
  fixture,
  settings,
}

function provider({ sdk, name, vendor, vendorFrom }: ProviderPlace): string {
  const settings = "import { settings } from '../settings.js'"
  const contract = `import { ${camel(name)} } from '../contract.js'`
  const maker = `import { ${camel(vendor)} } from '${vendorFrom}'`
  return `import { Fault, Type, poll, provider } from '${sdk}'
${(vendorFrom.startsWith('../../../..') ? [maker, contract, settings] : [contract, settings, maker]).join('\n')}

/** Lenient: only the fields read below are required. */
const job = Type.Object({ id: Type.String(), status: Type.String(), result_url: Type.Optional(Type.String()) })

/** ${title(vendor)} receives the file and processes it as a job; the resulting file becomes an artifact of this gateway. */
export const ${camel(vendor)}Provider = provider(${camel(name)}, {
  vendor: ${camel(vendor)},
  settings,
  run: async (input, context) => {
    const source = await context.scratch.fetch(input.file_url, { maxBytes: context.settings.max_bytes })
    const multipart = [{ name: 'file', filename: 'source', data: source }]
    const first = await context.api.json({ path: '/jobs', multipart }, job)
    const path = \`/jobs/\${encodeURIComponent(first.id)}\`
    const resultUrl = await poll(context, {
      first,
      ask: (own) => own.api.json({ path }, job),
      read: ({ status, result_url: result }) => {
        if (status === 'failed') return { state: 'failed', fault: new Fault('missing', 'The vendor could not process the file.') }
        return status === 'done' && result !== undefined ? { state: 'done', result } : { state: 'running', step: 'working' }
      },
      cancel: (own) => own.api.text({ method: 'DELETE', path }),
    })
    const { file } = await context.api.download(resultUrl, { maxBytes: context.settings.max_bytes, kinds: ['text/plain'] })
    const { url, size, expires_at } = await context.scratch.store(file, { name: 'result.txt', contentType: 'text/plain' })
    return { file_url: url, file_size: size, expires_at }
  },
})
`
}

/** The settings of the operator. */
function settings(sdk: string): string {
  return `import { Type, or } from '${sdk}'

/** Printed by \`capstan config\`, set as \`plugins.NAME.max_bytes\` or by a variable, and read as \`context.settings\`. */
export const settings = Type.Object({
  max_bytes: or(Type.Integer({ minimum: 1, description: 'Largest file that is sent or accepted, in bytes.' }), 10_000_000),
})
`
}

/** A job that is done at the second poll, and one that fails. */
function fixture(): unknown {
  const headers = { authorization: 'Bearer secret-api_key' }
  const file = 'https://example.com/speech.txt'
  const result = 'https://files.example.com/result.txt'
  const web = [{ url: file, reply: { text: 'Good morning!' } }]
  const multipart = [{ name: 'file', filename: 'source', text: 'Good morning!' }]
  const begin = (reply: unknown) => ({ request: { method: 'POST', path: '/jobs', headers, multipart }, reply: { json: reply } })
  const poll = (reply: unknown) => ({ request: { method: 'GET', path: '/jobs/7', headers }, reply: { json: reply } })
  return {
    cases: [
      {
        name: 'a job that is done at the second poll',
        input: { file_url: file },
        web,
        exchanges: [
          begin({ id: '7', status: 'queued', unknown: 1 }),
          poll({ id: '7', status: 'working' }),
          poll({ id: '7', status: 'done', result_url: result }),
          { request: { method: 'GET', address: result }, reply: { text: 'Hello!' } },
        ],
        output: { file_url: { $file: { text: 'Hello!' } }, file_size: 6, expires_at: { $type: 'string' } },
      },
      {
        name: 'a job that fails',
        input: { file_url: file },
        web,
        exchanges: [begin({ id: '7', status: 'queued' }), poll({ id: '7', status: 'failed' })],
        fault: { kind: 'missing' },
      },
    ],
  }
}
