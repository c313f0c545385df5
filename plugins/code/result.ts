import type { ProviderContext } from '../../core/sdk/index.js'
import type { CodeInput, CodeOutput, OutputFile } from './contract.js'
import { isRunnerFile, MEMORY_MB } from './program.js'
import { contentTypeOf } from './content-type.js'

/** Bytes kept of each stream. */
export const STREAM_BYTES = 1024 * 1024
/** Output files of one run. */
export const OUTPUT = { maxFiles: 20, maxBytes: 20 * 1024 * 1024 } as const
/** Files up to this size are in the answer as well as behind a link. */
const INLINE_BYTES = 256 * 1024
/** Files outside the working folder that a note names. */
const MOST_NAMED = 5
const CUT = '\n[output cut: only the first 1 MiB is kept]\n'
const TIME_CODE = 124
const MEMORY_CODE = 137

/** A finished run as reported by a provider. */
export interface Run {
  readonly stdout: Uint8Array | string
  readonly stderr: Uint8Array | string
  /** The stream was truncated. */
  readonly stdoutCut?: boolean
  readonly stderrCut?: boolean
  readonly code: number
  readonly stopped: 'time' | 'memory' | null
  /** MiB available to the program, if not the default limit; null when unknown. */
  readonly memoryMb?: number | null
  readonly runMs: number
  readonly bootMs: number
  readonly files?: readonly { readonly name: string; readonly data: Uint8Array }[]
  /** Files that were created and are not included. */
  readonly filesLeft?: number
}

/** The answer of a run: streams truncated and marked, a final message for the codes 124 (timeout) and 137 (out of memory), files stored. */
export async function answer(run: Run, input: CodeInput, context: Pick<ProviderContext, 'files' | 'note'>): Promise<CodeOutput> {
  const stderr = streamed(run.stderr, run.stderrCut)
  const stopped = run.stopped ?? (outOfMemory(run.code, stderr) ? 'memory' : null)
  const files = (run.files ?? []).filter(({ name }) => !isRunnerFile(name, input.language))
  const taken = withinLimits(files)
  const elsewhere = elsewhereIn(input.code).filter((path) => !taken.some(({ name }) => path.endsWith(`/${name}`)))
  if (elsewhere.length > 0)
    context.note(`Only files of the working folder are returned: use a plain name in place of ${elsewhere.join(', ')}.`)
  const left = (run.filesLeft ?? 0) + files.length - taken.length
  if (left > 0)
    context.note(
      `${left} output file${left === 1 ? ' was' : 's were'} left out: at most ${OUTPUT.maxFiles} files of ${OUTPUT.maxBytes} bytes together, with plain names, are kept`,
    )
  return {
    stdout: streamed(run.stdout, run.stdoutCut),
    stderr:
      stopped === null ? stderr : withLine(stderr, remark(stopped, input.timeout, run.memoryMb === undefined ? MEMORY_MB : run.memoryMb)),
    exit_code: stopped === null ? run.code : stopped === 'time' ? TIME_CODE : MEMORY_CODE,
    execution_time_ms: Math.max(0, Math.round(run.runMs)),
    output_files: await Promise.all(taken.map((file) => stored(file, context))),
    sandbox_boot_ms: Math.max(0, Math.round(run.bootMs)),
    template_used: input.template ?? 'default',
  }
}

/** Files outside the working folder that a program names in places models often write to, each once. */
function elsewhereIn(code: string): string[] {
  const named = code.match(/\/(?:tmp|mnt\/data|home\/\w{1,32})\/[\w.-]{1,100}/g) ?? []
  return [...new Set(named)].filter((path) => /\.\w{1,8}$/.test(path)).slice(0, MOST_NAMED)
}

/** True when an interpreter exited for lack of memory: Node aborts with 134, Python exits with 1 after an uncaught MemoryError. */
function outOfMemory(code: number, stderr: string): boolean {
  if (code === 134) return stderr.includes('JavaScript heap out of memory')
  return code === 1 && /(?:^|\n)MemoryError(?:: .*)?\s*$/.test(stderr.slice(-2000))
}

function remark(stopped: 'time' | 'memory', seconds: number, memoryMb: number | null): string {
  if (stopped === 'time') return `stopped: the time limit of ${seconds} s was reached`
  return memoryMb === null ? 'stopped: out of memory' : `stopped: out of memory, the limit is ${memoryMb} MiB`
}

function streamed(stream: Uint8Array | string, cut = false): string {
  const bytes = typeof stream === 'string' ? Buffer.from(stream) : Buffer.from(stream.buffer, stream.byteOffset, stream.byteLength)
  const over = bytes.length > STREAM_BYTES
  const text = bytes.subarray(0, STREAM_BYTES).toString('utf8')
  return cut || over ? text + CUT : text
}

function withLine(text: string, line: string): string {
  return `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${line}\n`
}

function withinLimits<F extends { readonly data: Uint8Array }>(files: readonly F[]): F[] {
  let bytes = 0
  return files.slice(0, OUTPUT.maxFiles).filter(({ data }) => {
    if (bytes + data.length > OUTPUT.maxBytes) return false
    bytes += data.length
    return true
  })
}

async function stored(
  { name, data }: { readonly name: string; readonly data: Uint8Array },
  context: Pick<ProviderContext, 'files'>,
): Promise<OutputFile> {
  const content_type = contentTypeOf(name)
  const { url, expires_at } = await context.files.put(data, { name, contentType: content_type })
  return {
    name,
    size_bytes: data.length,
    content_type,
    url,
    expires_at,
    content_base64: data.length <= INLINE_BYTES ? Buffer.from(data).toString('base64') : null,
  }
}
