import { readFileSync, readSync } from 'node:fs'
import { toWire } from './fault-wire.js'

/**
 * Runs inside the sandbox, once: imports the module named on the command line, then waits for one job on standard input (length of the header
 * as 32 bits, header as JSON, bytes) and answers on standard output (length of the answer as 32 bits, answer as JSON, bytes of a file).
 */
async function main(): Promise<void> {
  // The stream handles backpressure; writes to the descriptor would fail, because the stream made it non-blocking.
  const write = process.stdout.write.bind(process.stdout)
  const written = (bytes: Uint8Array): Promise<unknown> => new Promise((resolve) => write(bytes, resolve))
  // Libraries that print would corrupt the answer.
  process.stdout.write = process.stderr.write.bind(process.stderr)
  const { reply, data } = await answer(process.argv[2] ?? '')
  const text = Buffer.from(JSON.stringify(reply))
  const length = Buffer.alloc(4)
  length.writeUInt32LE(text.length)
  await written(Buffer.concat([length, text]))
  if (data.length > 0) await written(data)
  process.exit(0)
}

interface ModuleAnswer {
  readonly reply: object
  readonly data: Uint8Array
}

const NO_BYTES = new Uint8Array()

async function answer(href: string): Promise<ModuleAnswer> {
  try {
    const parse = memberOf(await import(href), 'default')
    if (typeof parse !== 'function') throw new Error(`${href} has no function as its default export`)
    const header: unknown = JSON.parse(taken(taken(4).readUInt32LE(0)).toString('utf8'))
    const [args, sizes] = [memberOf(header, 'args'), memberOf(header, 'sizes')]
    if (!Array.isArray(sizes)) {
      const result: unknown = await Reflect.apply(parse, undefined, [new Uint8Array(readFileSync(0)), args])
      return { reply: { ok: true, result: result ?? null }, data: NO_BYTES }
    }
    const files = sizes.map((size) => taken(Number(size)))
    const made: unknown = await Reflect.apply(parse, undefined, [files, args])
    const data = memberOf(made, 'data')
    return { reply: { ok: true, result: memberOf(made, 'result') ?? null }, data: data instanceof Uint8Array ? data : NO_BYTES }
  } catch (error) {
    return { reply: { ok: false, error: toWire(error) }, data: NO_BYTES }
  }
}

/** The next bytes of standard input, in a new buffer. */
function taken(size: number): Buffer {
  const bytes = Buffer.allocUnsafeSlow(size)
  for (let at = 0; at < size;) {
    const read = readSync(0, bytes, at, size - at, null)
    if (read === 0) throw new Error('standard input ended early')
    at += read
  }
  return bytes
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}

await main()
