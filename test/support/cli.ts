import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Parts } from '../../scripts/capstan/cli/types.js'
import { realParts } from '../../scripts/capstan/cli/parts.js'
import { runCli } from '../../scripts/capstan/cli/program.js'
import { packageRoot } from '../../core/runtime/root.js'

/** What a command said and how it ended. */
export interface CliResult {
  readonly code: number
  readonly out: string
  readonly err: string
  /** The one JSON document of standard output; throws when it is not exactly one line of JSON. */
  readonly json: () => unknown
}

/** A command line with a data folder of its own. */
export interface CliBench {
  readonly folder: string
  run(...argv: string[]): Promise<CliResult>
  done(): void
}

/** Tests make no request to the outside. */
const outside: Parts['outside'] = () => Promise.resolve(['resolver', 'internet'].map((name) => ({ name, ok: true, detail: 'not checked' })))

export interface CliOptions {
  readonly parts?: Partial<Parts>
  readonly env?: Record<string, string>
  readonly tty?: boolean
  /** Columns of the terminal that standard output is, by default more than any line has; null where it is a pipe. */
  readonly columns?: number | null
}

/** A person reads what a command prints, unless a test says otherwise. */
const WIDE = 10_000

export function cliBench(options: CliOptions = {}): CliBench {
  const folder = mkdtempSync(join(tmpdir(), 'capstan-cli-'))
  return {
    folder,
    run: async (...argv) => {
      let out = ''
      let err = ''
      const io = {
        env: { CAPSTAN_DATA: join(folder, 'data'), ...options.env },
        cwd: folder,
        tty: options.tty ?? false,
        ...(options.columns === null ? {} : { columns: options.columns ?? WIDE }),
        out: async (text: string) => void (out += text),
        err: (text: string) => void (err += text),
      }
      const code = await runCli(argv, { io, parts: { ...realParts, outside, ...options.parts }, root: packageRoot() })
      const json = (): unknown => {
        if (!/^[^\n]+\n$/.test(out)) throw new Error(`standard output is not one document: ${JSON.stringify(out)}`)
        return JSON.parse(out)
      }
      return { code, out, err, json }
    },
    done: () => rmSync(folder, { recursive: true, force: true }),
  }
}
