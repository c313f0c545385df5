import { type Command, Option } from 'commander'
import { assertWritable, printAnswer } from '../answer-output.js'
import { apiKey } from '../api-key.js'
import { findCapability, listedCapabilities } from '../catalogue.js'
import { named } from '../columns.js'
import { examples } from '../example.js'
import { EXIT_CODES } from '../exit-codes.js'
import { Failure } from '../failure.js'
import type { GatewayClient } from '../gateway-client.js'
import { DEFAULT_URL, gatewayUrl } from '../gateway-url.js'
import { guessedFormats } from '../guessed-formats.js'
import { formOf, localFiles, type LocalFile } from '../local-file.js'
import { parseParameters } from '../parameters.js'
import { printable } from '../printable.js'
import { Progress } from '../progress.js'
import { fieldOf, textOf } from '../record.js'
import { refusal } from '../refusal.js'
import { wantsDocument, type Shell } from '../shell.js'

/** Most characters of a note. */
const LONGEST_NOTE = 2_000

/** `capstan run CAPABILITY name=value…`: calls the running gateway at CAPSTAN_URL with CAPSTAN_API_KEY. */
export function addRun(program: Command, shell: Shell): void {
  const command = program
    .command('run')
    .argument('<capability>', 'id of the capability, for example search; with --help its parameters, price and an example')
    .argument(
      '[parameters...]',
      'name=value; name=@file reads a file, url=@file and NAME_url=@file upload it; name:=json passes JSON unchanged',
    )
    .description(
      `call a capability of the gateway at CAPSTAN_URL (default: the port in CAPSTAN_PORT or capstan.yml of this machine, ${DEFAULT_URL}) with the key in CAPSTAN_API_KEY; prints the data on a terminal, where files are saved in the working folder, and the whole answer as JSON in a pipe`,
    )
    .option('-o, --out <file>', 'write the file of the answer, or its text or data, to this file; into a folder all its files')
    .addOption(new Option('--output <file>', 'the same as --out').hideHelp())
  examples(
    command,
    "capstan run search query='heat pumps' num_results=5",
    'capstan run search --help',
    'capstan run scrape url=https://example.com --json',
    'capstan run code.execute language=javascript code=@sum.js',
    'capstan run scrape url=@page.html mode=fast',
    'capstan run screenshots.capture url=https://example.com --out page.png',
  )
  const codes = EXIT_CODES.map(([code, means]) => [`  ${code}`, means] as const)
  command.addHelpText('after', `Exit codes:\n${named(codes, shell.io.columns)}\n`)
  command.action(async (capability: string, words: string[]) => {
    await call(shell, command, capability, words)
  })
}

async function call(shell: Shell, command: Command, capability: string, words: string[]): Promise<void> {
  const { env, cwd } = shell.io
  const key = apiKey(env['CAPSTAN_API_KEY'] ?? '')
  const { out, output = out } = command.opts<{ readonly out?: string; readonly output?: string }>()
  if (output !== undefined) assertWritable(output, cwd)
  const { GatewayClient } = await import('../gateway-client.js')
  const base = await gatewayUrl(shell, command)
  const client = new GatewayClient(base)
  const { id, path, parameters, formatOf } = findCapability(await listedCapabilities(client, base), capability)
  const progress = new Progress(shell.io)
  const local = localFiles(words, cwd)
  const given = parseParameters(local.words, parameters, cwd)
  const { links, types } = await uploadAll(local.files, { client, key, progress }).finally(() => progress.clear())
  const names = Object.fromEntries(local.files.map(({ parameter, path: file }) => [parameter, file]))
  const formats = guessedFormats(formatOf, { given, names, types })
  const json = { ...formats, ...given, ...links }
  progress.begin(id)
  const { status, body } = await client
    .call({ method: 'POST', path, key, json, onEvent: (event) => progress.show(event) })
    .finally(() => progress.clear())
  if (fieldOf(body, 'success') !== true) {
    if (wantsDocument(shell, command)) await shell.io.out(`${JSON.stringify(body)}\n`)
    throw refusal(body, status)
  }
  const origin = { capability: id, given: json, uploaded: local.files.map((file) => file.path) }
  try {
    await printAnswer(shell, command, body, { origin, out: output })
  } finally {
    if (!wantsDocument(shell, command)) for (const note of notesOf(body)) shell.io.err(`note: ${note}\n`)
    shell.io.err(`${summary(body)}\n`)
  }
}

/** Uploads files one after the other; returns their links and detected types by parameter. */
async function uploadAll(
  files: readonly LocalFile[],
  { client, key, progress }: { readonly client: GatewayClient; readonly key: string; readonly progress: Progress },
): Promise<{ readonly links: Record<string, string>; readonly types: Record<string, string> }> {
  const links: Record<string, string> = {}
  const types: Record<string, string> = {}
  for (const file of files) {
    const step = `uploading ${file.parameter}`
    progress.begin(step)
    const upload = formOf(file, (bytes) => progress.bytes(step, bytes, file.size))
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
