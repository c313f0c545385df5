import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { auditLedger } from '../../core/audit/ledger.js'
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

interface Child {
  readonly process: ChildProcess
  readonly url: string
  readonly key: string | null
  readonly ended: Promise<unknown>
}

async function startChild(folder: string, order: CrashOrder): Promise<Child | null> {
  const script = fileURLToPath(new URL('./crash-child.js', import.meta.url))
  const child = spawn(process.execPath, [script, folder, JSON.stringify(order)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const line = await Promise.race([once(createInterface(child.stdout), 'line'), ended.then(() => null)])
  if (line === null) return null
  return { process: child, ...(JSON.parse(String(line[0])) as { url: string; key: string | null }), ended }
}

/** Starts a gateway on a folder, loads it with calls of every kind until the point kills it, starts it again, and holds the books against what clients saw. */
export async function crashRun(folder: string, point: CrashPoint, times: number): Promise<CrashReport> {
  const books = new CrashBooks()
  const atStart = point.endsWith('sweep')
  const first = present(await startChild(folder, { point: atStart ? 'before delivered' : point, times, fastMs: 0 }))
  const key = present(first.key)
  await load(first, key, books)
  // A sweep has something to do at the start after a kill.
  if (atStart && (await startChild(folder, { point, times: 1, fastMs: 0 })) !== null) books.problem('the gateway started without a sweep')
  const last = present(await startChild(folder, { point: null, times: 1, fastMs: LATER_MS }))
  for (const call of books.unanswered('keyed')) await crashCall(last.url, key, call, books)
  last.process.kill('SIGKILL')
  await last.ended
  await hold(folder, books)
  return { answers: books.answers, givenBackMs: books.givenBackMs, problems: books.problems }
}

async function load(child: Child, key: string, books: CrashBooks): Promise<void> {
  let over = false
  void child.ended.then(() => {
    over = true
    books.killed()
  })
  const client = async (turn: number): Promise<void> => {
    for (let number = turn; !over; number += CLIENTS) {
      const call = books.begin(present(KINDS[number % KINDS.length]), number)
      await crashCall(child.url, key, call, books)
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, (_, turn) => client(turn)))
  await child.ended
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
