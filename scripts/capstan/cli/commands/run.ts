import type { Command } from 'commander'
import { withoutLongBytes } from '../../answer-files.js'
import { saveAnswer } from '../answer-file.js'
import type { GatewayClient } from '../gateway-client.js'
import { DEFAULT_URL, gatewayUrl } from '../gateway-url.js'
import { capabilitiesOf, findCapability } from '../catalogue.js'
import { examples } from '../example.js'
import { Failure } from '../failure.js'
import { parseParameters } from '../parameters.js'
import { guessedFormats } from '../guessed-formats.js'
import { printable } from '../printable.js'
import { Progress } from '../progress.js'
import { fieldOf, textOf } from '../record.js'
import { refusal } from '../refusal.js'
import { apiKey } from '../api-key.js'
import { formOf, localFiles, type LocalFile } from '../local-file.js'
import { print, wantsJson, type Shell } from '../shell.js'

/** Most characters of a note. */
const LONGEST_NOTE = 2_000

/** `capstan run CAPABILITY name=value…`: calls the running gateway at CAPSTAN_URL with CAPSTAN_API_KEY. */
export function addRun(program: Command, shell: Shell): void {
  const command = program
    .command('run')
    .argument('<capability>', 'id of the capability, for example search')
    .argument(
      '[parameters...]',
      'name=value; name=@file reads a file, url=@file and NAME_url=@file upload it; name:=json passes JSON unchanged',
    )
    .description(
      `call a capability of the gateway at CAPSTAN_URL (default: the port in CAPSTAN_PORT or capstan.yml of this machine, ${DEFAULT_URL}) with the key in CAPSTAN_API_KEY`,
    )
  command.option(
    '-o, --output <file>',
    'write the file of the answer (an image, a converted file, subtitles, the text of a page) here, or the data if there is none',
  )
  examples(
    command,
    "capstan run search query='heat pumps' num_results=5",
    'capstan run scrape url=https://example.com --json',
    'capstan run code.execute language=javascript code=@sum.js',
    'capstan run scrape url=@page.html mode=fast',
    'capstan run screenshots.capture url=https://example.com -o page.png',
  )
  command.action(async (capability: string, words: string[]) => {
    await call(shell, command, capability, words)
  })
}

async function call(shell: Shell, command: Command, capability: string, words: string[]): Promise<void> {
  const { env, cwd } = shell.io
  const key = apiKey(env['CAPSTAN_API_KEY'] ?? '')
  const { GatewayClient } = await import('../gateway-client.js')
  const base = await gatewayUrl(shell, command)
  const client = new GatewayClient(base)
  const tools = await client.call({ method: 'GET', path: '/v1/tools?format=raw', idleMs: 30_000 })
  if (tools.status === 404)
    throw new Failure(`there is no gateway at ${base}: CAPSTAN_URL is its address without a path such as /v1`, tools.body)
  if (tools.status !== 200) throw refusal(tools.body, tools.status)
  const { path, parameters, formatOf } = findCapability(capabilitiesOf(tools.body), capability)
  const progress = new Progress(shell.io)
  const local = localFiles(words, cwd)
  const given = parseParameters(local.words, parameters, cwd)
  const { links, types } = await uploadAll(local.files, { client, key, progress }).finally(() => progress.clear())
  const names = Object.fromEntries(local.files.map(({ parameter, path: file }) => [parameter, file]))
  const formats = guessedFormats(formatOf, { given, names, types })
  const json = { ...formats, ...given, ...links }
  const { status, body } = await client
    .call({ method: 'POST', path, key, json, onEvent: (event) => progress.show(event) })
    .finally(() => progress.clear())
  if (fieldOf(body, 'success') !== true) throw refusal(body, status)
  const data = fieldOf(body, 'data')
  const { output } = command.opts<{ readonly output?: string }>()
  if (output === undefined || wantsJson(command))
    await print(shell, command, body, await readable(withoutLongBytes(data, '-o FILE saves the file')))
  if (output !== undefined) {
    const bytes = await saveAnswer(data, await readable(data), { path: output, cwd })
    shell.io.err(`${output}: ${bytes} bytes\n`)
  }
  if (!wantsJson(command)) for (const note of notesOf(body)) shell.io.err(`note: ${note}\n`)
  shell.io.err(`${summary(body)}\n`)
}

/** Uploads files one after the other; returns their links and detected types by parameter. */
async function uploadAll(
  files: readonly LocalFile[],
  { client, key, progress }: { readonly client: GatewayClient; readonly key: string; readonly progress: Progress },
): Promise<{ readonly links: Record<string, string>; readonly types: Record<string, string> }> {
  const links: Record<string, string> = {}
  const types: Record<string, string> = {}
  for (const file of files) {
    const upload = formOf(file, (bytes) => progress.bytes(`uploading ${file.parameter}`, bytes, file.size))
    const { status, body } = await client.call({ method: 'POST', path: '/v1/files', key, upload })
    if (status === 404 || status === 405)
      throw new Failure(`the gateway does not accept uploads (${status}): set ${file.parameter} to an address, or update the gateway`, body)
    const link = textOf(fieldOf(body, 'data'), 'file_url')
    if (status !== 200 || link === null) throw refusal(body, status)
    links[file.parameter] = link
    types[file.parameter] = textOf(fieldOf(body, 'data'), 'content_type') ?? ''
  }
  return { links, types }
}

/** Data as text: a text unchanged, everything else as YAML. */
async function readable(data: unknown): Promise<string> {
  if (typeof data === 'string') return data
  const { stringify } = await import('yaml')
  return stringify(data, { lineWidth: 0 })
}

/** The notes of the answer, one line each. */
function notesOf(envelope: unknown): string[] {
  const notes = fieldOf(fieldOf(envelope, 'metadata'), 'notes')
  return (Array.isArray(notes) ? notes : []).flatMap((note: unknown) => (typeof note === 'string' ? [printable(note, LONGEST_NOTE)] : []))
}

function summary(envelope: unknown): string {
  const metadata = fieldOf(envelope, 'metadata')
  const credits = fieldOf(envelope, 'credits_used') ?? 0
  const parts = [
    `${JSON.stringify(credits)} ${credits === 1 ? 'credit' : 'credits'}`,
    textOf(metadata, 'provider_used') ?? 'no provider',
    `${JSON.stringify(fieldOf(metadata, 'response_time_ms') ?? 0)} ms`,
    textOf(metadata, 'request_id') ?? '',
  ]
  return parts.filter((part) => part !== '').join(' · ')
}
