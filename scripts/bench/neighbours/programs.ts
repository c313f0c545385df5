import { filled, MIB } from '../standstill/shape.js'
import type { Attack } from './attack.js'

const CODE = '/v1/code/execute'
/** Seconds that a hostile program may run. */
const TIMEOUT = 5

function program(name: string, language: 'python' | 'shell', code: string, atOnce = 2): Attack {
  return { name: `program: ${name}`, atOnce, path: CODE, body: () => JSON.stringify({ language, code, timeout: TIMEOUT }) }
}

/** Programs of callers. */
export const programs: readonly Attack[] = [
  program('spins', 'python', 'while True: pass'),
  program('takes memory', 'python', 'b=[]\nwhile True: b.append(bytearray(20<<20))'),
  program('forks', 'python', 'import os\nwhile True:\n  try: os.fork()\n  except OSError: pass'),
  program('fills the disk', 'shell', 'while :; do for i in 1 2 3 4 5 6; do head -c 60000000 /dev/zero > f$i; done; done'),
  program('floods its output', 'shell', 'yes 0123456789012345678901234567890123456789'),
  program('all places and the queue', 'shell', 'sleep 2', 20),
]

/** Bodies, vendors that hang, and callers that read slowly. */
export const others: readonly Attack[] = [
  { name: 'bodies of brackets, 24 MiB', atOnce: 2, path: CODE, body: () => filled(24 * MIB - 100, '[],', ['{"code":[', '[]]}']) },
  { name: 'vendor that hangs', atOnce: 20, path: '/v1/search', body: (_site, count) => JSON.stringify({ query: `q ${count}` }) },
  {
    name: 'names that stay silent',
    atOnce: 20,
    path: '/v1/scrape',
    body: (_site, count) => JSON.stringify({ url: `http://n${count}.slow.test/`, mode: 'fast' }),
  },
  {
    name: 'large answers read slowly',
    atOnce: 20,
    path: '/v1/scrape',
    body: (site, count) => JSON.stringify({ url: `${site}/page?${count}`, mode: 'fast' }),
    page: () => ({ contentType: 'text/plain', bytes: Buffer.from(`${'A line of words.\n'.repeat(240_000)}`) }),
    readBytes: 1_024,
  },
  { name: 'headers sent slowly on 1,000 connections', atOnce: 0, path: '/v1/search', body: () => '', slowHeads: 1_000 },
]
