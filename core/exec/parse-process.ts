import { readFileSync } from 'node:fs'
import { toWire } from './fault-wire.js'

/**
 * Runs inside the sandbox, once: imports the module named on the command line, then waits for one job on standard input (length
 * of the header as 32 bits, header as JSON, bytes) and answers it on standard output as JSON.
 */
async function main(): Promise<void> {
  const out = process.stdout
  const write = out.write.bind(out)
  // Libraries that print would damage the answer.
  out.write = process.stderr.write.bind(process.stderr)
  const reply = JSON.stringify(await answer(process.argv[2] ?? ''))
  // Not writeSync: an answer larger than the pipe fails with EAGAIN while the gateway is busy.
  write(reply, () => process.exit(0))
}

async function answer(href: string): Promise<unknown> {
  try {
    const loaded: unknown = await import(href)
    const parse = typeof loaded === 'object' && loaded !== null && 'default' in loaded ? loaded.default : undefined
    if (typeof parse !== 'function') throw new Error(`${href} has no function as its default export`)
    const job = readFileSync(0)
    const start = 4 + job.readUInt32LE(0)
    const header: unknown = JSON.parse(job.toString('utf8', 4, start))
    const args = typeof header === 'object' && header !== null && 'args' in header ? header.args : undefined
    const result: unknown = await Reflect.apply(parse, undefined, [new Uint8Array(job.subarray(start)), args])
    return { ok: true, result: result ?? null }
  } catch (error) {
    return { ok: false, error: toWire(error) }
  }
}

await main()
