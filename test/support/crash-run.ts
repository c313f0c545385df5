import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { auditLedger } from '../../scripts/capstan/audit/ledger.js'
import { openStore } from '../../core/store/open.js'
import { CrashBooks } from './crash-books.js'
import { crashCall, type CallKind } from './crash-calls.js'
import type { CrashOrder, CrashPoint } from './crash-points.js'

/** What one kill has shown. */
export interface CrashReport {
  /** Answers that a client had whole. */
  readonly answers: number
  /** How long before the kill an answer came at most whose charge was given back, in milliseconds; 0 when none was. */
  readonly givenBackMs: number
  readonly problems: readonly string[]
}

const CLIENTS = 4
/** After it no attempt of a killed gateway counts as running. */
const LATER_MS = 120_000
const KINDS: readonly CallKind[] = ['plain', 'keyed', 'broken', 'plain', 'leaves', 'keyed']

/** Calls of a load at most; every point is reached long before. */
const MOST_CALLS = 2_000

interface Child {
  readonly process: ChildProcess
  /** Null when it ended before it listened. */
  readonly address: { readonly url: string; readonly key: string | null } | null
  /** Its exit code and the signal that ended it. */
  readonly ended: Promise<readonly [number | null, NodeJS.Signals | null]>
}

/** The gateways of one run, one after the other. */
class Children {
  readonly #folder: string
  #process: ChildProcess | null = null

  constructor(folder: string) {
    this.#folder = folder
  }

  async start(order: CrashOrder): Promise<Child> {
    const script = fileURLToPath(new URL('./crash-child.js', import.meta.url))
    const child = spawn(process.execPath, [script, this.#folder, JSON.stringify(order)], { stdio: ['ignore', 'pipe', 'inherit'] })
    this.#process = child
    const ended = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>
    const line = await Promise.race([once(createInterface(child.stdout), 'line'), ended.then(() => null)])
    return { process: child, address: line === null ? null : (JSON.parse(String(line[0])) as Child['address']), ended }
  }

  /** Ends the one that runs, if one does. */
  end(): void {
    this.#process?.kill('SIGKILL')
  }
}

/** Starts a gateway on a folder, loads it with calls of every kind until the point kills it, starts it again, and holds the books against what clients saw. */
export async function crashRun(folder: string, point: CrashPoint, times: number): Promise<CrashReport> {
  const books = new CrashBooks()
  const children = new Children(folder)
  try {
    const atStart = point.endsWith('sweep')
    const first = await children.start({ point: atStart ? 'before delivered' : point, times, fastMs: 0 })
    const key = present(present(first.address).key)
    await load(first, key, books)
    // A sweep has something to do at the start after a kill.
    if (atStart) await killedBeforeItListens(await children.start({ point, times: 1, fastMs: 0 }), books)
    const last = await children.start({ point: null, times: 1, fastMs: LATER_MS })
    for (const call of books.unanswered('keyed')) await crashCall(present(last.address).url, key, call, books)
    children.end()
    await last.ended
  } finally {
    children.end()
  }
  await hold(folder, books)
  return { answers: books.answers, givenBackMs: books.givenBackMs, problems: books.problems }
}

async function load(child: Child, key: string, books: CrashBooks): Promise<void> {
  const { url } = present(child.address)
  let over = false
  void child.ended.then(([code, signal]) => {
    over = true
    books.killed()
    // Without this a gateway that fails by itself would pass for one that was killed.
    if (signal !== 'SIGKILL') books.problem(`the gateway ended with code ${String(code)} before it was killed`)
  })
  const client = async (turn: number): Promise<void> => {
    for (let number = turn; !over && number < MOST_CALLS; number += CLIENTS) {
      const call = books.begin(present(KINDS[number % KINDS.length]), number)
      await crashCall(url, key, call, books)
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, (_, turn) => client(turn)))
  if (books.calls >= MOST_CALLS) {
    books.problem(`the point was not reached in ${MOST_CALLS} calls`)
    child.process.kill('SIGKILL')
  }
  await child.ended
}

async function killedBeforeItListens({ address, ended }: Child, books: CrashBooks): Promise<void> {
  if (address !== null) {
    books.problem('the gateway started without a sweep')
    return
  }
  const [code, signal] = await ended
  if (signal !== 'SIGKILL') books.problem(`the gateway ended with code ${String(code)} before it was killed`)
}

async function hold(folder: string, books: CrashBooks): Promise<void> {
  const file = join(folder, 'capstan.db')
  const store = await openStore('sqlite:capstan.db', folder, { thread: 'same' })
  try {
    const balance = present(await store.ledger.balance('default'))
    if (balance.held !== 0) books.problem(`${balance.held} still held`)
    for (let after = 0; ;) {
      const page = await store.ledger.entries({ account: 'default', afterSeq: after, limit: 1000 })
      if (page.length === 0) break
      books.read(page)
      after = present(page.at(-1)).seq
    }
  } finally {
    await store.close()
  }
  books.compare()
  for (const problem of auditLedger({ file }).problems) books.problem(problem)
}

function present<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new Error('the gateway did not say what it should')
  return value
}
