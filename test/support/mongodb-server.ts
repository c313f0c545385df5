import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { mongo } from 'mongoose'
import { packageRoot } from '../../core/runtime/root.js'
import { inMemory } from './memory-folder.js'
import { programPath } from './needs.js'

const PROGRAM = 'secantusd-py'
const START_MS = 20_000

/** Where the server's program is: CAPSTAN_TEST_SECANTUSD, the project's .venv, else PATH; null when it is nowhere. */
export function mongoProgram(): string | null {
  const named = process.env['CAPSTAN_TEST_SECANTUSD']
  if (named !== undefined && named !== '') return named
  return programPath(PROGRAM, [join(packageRoot(), '.venv', 'bin')])
}

export interface MongoServerOptions {
  readonly program: string
  /** Answers as a single server; by default as a replica set of one. */
  readonly standalone?: boolean
  /** Data of a server that ended; by default a fresh folder, removed at the end. */
  readonly folder?: string
  /** By default any free one. */
  readonly port?: number
}

/** A server that speaks MongoDB's protocol, in a process and a folder of its own, on a free port of the loopback address. */
export class MongoServer {
  readonly #child: ChildProcess
  readonly #folder: string
  readonly #temporary: boolean
  readonly #ended: Promise<void>
  readonly #killer: () => void
  readonly port: number

  private constructor(child: ChildProcess, place: { folder: string; temporary: boolean; port: number; killer: () => void }) {
    this.#child = child
    this.#folder = place.folder
    this.#temporary = place.temporary
    this.#killer = place.killer
    this.port = place.port
    this.#ended = new Promise((resolve) => {
      if (child.exitCode !== null || child.signalCode !== null) resolve()
      else child.once('exit', () => resolve())
    })
  }

  /** Starts it and waits until it answers a ping. Rejects with what the program said when it ends before. */
  static async start(options: MongoServerOptions): Promise<MongoServer> {
    const folder = options.folder ?? mkdtempSync(join(inMemory(), 'capstan-mongodb-'))
    const args = ['--host', '127.0.0.1', '--port', String(options.port ?? 0), '--storage-path', folder, '--sync-on-commit']
    if (options.standalone === true) args.push('--standalone')
    const child = spawn(options.program, [...args, '--enable-test-commands'], { stdio: ['ignore', 'pipe', 'pipe'] })
    const temporary = options.folder === undefined
    const killer = () => {
      child.kill('SIGKILL')
      if (temporary) rmSync(folder, { recursive: true, force: true })
    }
    process.once('exit', killer)
    try {
      const port = await listening(child)
      const server = new MongoServer(child, { folder, temporary, port, killer })
      await server.#answers()
      return server
    } catch (error) {
      killer()
      process.off('exit', killer)
      throw error
    }
  }

  get pid(): number {
    return this.#child.pid ?? 0
  }

  /** Address of a database; the client connects to this server and discovers no other. */
  uri(database: string): string {
    return `mongodb://127.0.0.1:${this.port}/${database}?directConnection=true`
  }

  /** Sends a signal: SIGSTOP and SIGCONT make it hang and go on, SIGKILL is a crash. */
  signal(signal: 'SIGSTOP' | 'SIGCONT' | 'SIGKILL'): void {
    this.#child.kill(signal)
  }

  /** Ends it at once and resolves when it is gone; a folder of its own goes with it. */
  async end(): Promise<void> {
    this.#child.kill('SIGKILL')
    await this.#ended
    process.off('exit', this.#killer)
    if (this.#temporary) rmSync(this.#folder, { recursive: true, force: true })
  }

  async #answers(): Promise<void> {
    const client = new mongo.MongoClient(this.uri('admin'), { serverSelectionTimeoutMS: START_MS })
    try {
      await client.db('admin').command({ ping: 1 })
    } finally {
      await client.close()
    }
  }
}

/** The port the program says it listens on. */
function listening(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    let said = ''
    const timer = setTimeout(() => reject(new Error(`${PROGRAM} did not listen within ${START_MS} ms: ${said}`)), START_MS)
    const read = (chunk: Buffer) => {
      if (said.length < 20_000) said += chunk.toString()
      const port = /listening on 127\.0\.0\.1:(\d+)/.exec(said)?.[1]
      if (port !== undefined) settle(() => resolve(Number(port)))
    }
    const settle = (done: () => void) => {
      clearTimeout(timer)
      done()
    }
    child.stdout?.on('data', read)
    child.stderr?.on('data', read)
    child.once('error', (error) => settle(() => reject(error)))
    child.once('exit', (code) => settle(() => reject(new Error(`${PROGRAM} ended with ${code} before it listened: ${said}`))))
  })
}
