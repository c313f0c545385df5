import { execFile } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { realParts } from '../../../scripts/capstan/cli/parts.js'
import { runCli } from '../../../scripts/capstan/cli/program.js'
import { packageRoot } from '../../../core/runtime/root.js'
import { startBeside } from '../../support/beside.js'
import { CLI } from '../../support/served.js'
import { FILES } from './files.js'
import { typedLine, type TypedLine } from './typed-line.js'

/** What a newcomer sees of a command. */
export interface Seen {
  readonly code: number
  readonly answer: string
}

/** A working folder with files, beside a gateway that runs. */
export interface World {
  /** A line with its marks filled in. */
  readonly fill: (line: string) => string
  run(line: string): Promise<Seen>
  close(): Promise<void>
}

/** Commands that print a report before they say what is wrong. */
const REPORTS = ['doctor', 'plugin list', 'plugin test']
/** Lines of a report that a newcomer reads. */
const SCREEN = 12
/** Belongs to nobody. */
const NOBODY = 59_999

export async function openWorld(): Promise<World> {
  const beside = await startBeside({ bundled: true })
  const { gateway } = beside
  const folder = mkdtempSync(join(tmpdir(), 'capstan-mistakes-'))
  chmodSync(folder, 0o755)
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(join(folder, name, '..'), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  const first = await gateway.newKey({ name: 'laptop' })
  const spent = await gateway.newKey({ name: 'narrow', scopes: ['scrape'] })
  const closed = await gateway.newKey({ name: 'closed' })
  await gateway.admin('DELETE', `/admin/v1/accounts/default/keys/${closed.id}`)
  const research = await gateway.admin('POST', '/admin/v1/accounts', { name: 'research', credits: 5 })
  const { id: account } = research.json<{ id: string }>()
  const blocked = await gateway.newKey({ name: 'blocked' }, account)
  const taken = createServer()
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
  const marks: Readonly<Record<string, string>> = {
    key: first.id,
    raw: first.key,
    narrow: spent.key,
    closed: closed.id,
    revoked: closed.key,
    blocked: blocked.key,
    account,
    url: gateway.url,
    data: gateway.folder,
    port: String((taken.address() as AddressInfo).port),
  }
  const fill = (line: string): string => line.replaceAll(/\{([a-z]+)\}/g, (mark, name: string) => marks[name] ?? mark)
  const base = { CAPSTAN_DATA: gateway.folder, CAPSTAN_URL: gateway.url, CAPSTAN_API_KEY: first.key }
  // Its calls are refused; its keys and credits stay.
  await beside.bench.run('accounts', 'disable', 'research')
  return {
    fill,
    run: async (line) => {
      const typed = typedLine(fill(line))
      const env = { ...base, ...typed.env }
      const seen = isOwnProcess(typed) ? await asProcess(typed, env, folder) : await inProcess(typed.argv, env, folder)
      return { ...seen, answer: tail(seen.answer.replaceAll(folder, '/work'), typed.argv) }
    },
    close: async () => {
      await new Promise((resolve) => taken.close(resolve))
      await beside.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The end of a long report, which is what stays on the screen; everything else is shown whole. */
function tail(answer: string, argv: readonly string[]): string {
  const lines = answer.trimEnd().split('\n')
  if (!REPORTS.includes(argv.slice(0, 2).join(' ')) || lines.length <= SCREEN) return answer
  return ['…', ...lines.slice(1 - SCREEN)].join('\n')
}

/** True for what another user runs, and for a gateway that gets as far as opening its folder. */
export function isOwnProcess({ argv, asNobody, env }: TypedLine): boolean {
  return asNobody || (argv[0] === 'serve' && env['CAPSTAN_DATA'] !== undefined)
}

type Variables = Readonly<Record<string, string>>

/** A mistake that would start a gateway in the process of the tests. */
function never(): Promise<number> {
  return Promise.reject(new Error('nothing is wrong with this command'))
}

async function inProcess(argv: readonly string[], env: Variables, cwd: string): Promise<Seen> {
  let answer = ''
  const io = {
    env,
    cwd,
    tty: false,
    columns: 160,
    out: async (text: string) => void (answer += text),
    err: (text: string) => void (answer += text),
  }
  // Nothing outside this machine is called.
  const alone = {
    outside: () => Promise.resolve([]),
    connects: () => Promise.resolve(null),
    probes: () => Promise.resolve(new Map()),
    serve: never,
  }
  const code = await runCli(argv, { io, parts: { ...realParts, ...alone }, root: packageRoot() })
  return { code, answer }
}

function asProcess({ argv, asNobody }: TypedLine, env: Variables, cwd: string): Promise<Seen> {
  const options = { cwd, env: { PATH: process.env['PATH'], CAPSTAN_PORT: '0', ...env }, ...(asNobody ? { uid: NOBODY, gid: NOBODY } : {}) }
  return new Promise((resolve) => {
    execFile(process.execPath, [CLI, ...argv], options, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code ?? -1), answer: stdout + stderr })
    })
  })
}
