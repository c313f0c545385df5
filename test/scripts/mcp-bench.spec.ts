import { expect } from 'chai'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { packageRoot } from '../../core/runtime/root.js'

describe('npm run bench:mcp, in small', function () {
  this.timeout(60_000)

  it('prints what each way and each client adds to the plain call, and the bytes of each list', async () => {
    const client = 'a client=while read -r line; do echo done; done'
    const script = join(packageRoot(), 'dist', 'scripts', 'bench', 'mcp', 'main.js')
    const printed = await new Promise<string>((resolve, reject) =>
      execFile(process.execPath, [script, '--rounds', '2', '--client', client], (error, stdout, stderr) =>
        error === null ? resolve(stdout) : reject(new Error(stderr + stdout, { cause: error })),
      ),
    )
    const rows = new Map([...printed.matchAll(/^\| ([^|]+) \| (.+) \|$/gm)].map(([, name = '', cells = '']) => [name, cells.split(' | ')]))
    for (const way of ['HTTP', 'MCP 2026-07-28', 'MCP 2025-11-25', 'MCP over stdio (capstan mcp)', 'a client'])
      expect(rows.get(way)?.map(Number).every(Number.isFinite), way).to.equal(true)
    expect(rows.get('HTTP')?.slice(3, 5).map(Number), 'the plain call adds nothing to itself').to.deep.equal([0, 0])
    for (const format of ['openai', 'claude', 'mcp', 'raw'])
      expect(Number(rows.get(`GET /v1/tools?format=${format}`)?.[0]), format).to.be.above(1_000)
  })
})
