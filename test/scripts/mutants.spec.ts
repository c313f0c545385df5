import { expect } from 'chai'
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { packageRoot } from '../../core/runtime/root.js'
import { until } from '../support/time.js'

interface Mutation {
  readonly id: string
  readonly file: string
  readonly from: string
  readonly to: string
  readonly specs: readonly string[]
  readonly equivalent?: string
}
interface Result {
  readonly mutation: Mutation
  readonly state: string
  readonly why: string
}
interface Tree {
  readonly folder: string
  remove(): void
}
interface Scripts {
  readMutations(root: string): { mutations: readonly Mutation[]; withdrawn: readonly { id: string; reason: string }[] }
  staleness(root: string, mutation: Mutation): string | null
  runMutations(
    root: string,
    mutations: readonly Mutation[],
    how: { trees: readonly Tree[]; onResult: (result: Result) => void },
  ): Promise<Result[]>
  Tree: new (root: string) => Tree
}

const root = packageRoot()
const SPEC = 'test/sum.spec.js'
const SOURCE = 'export const sum = (one: number, other: number): number => one + other\nexport const unused = (): string => "unused"\n'

describe('scripts/mutants.mjs', function () {
  this.timeout(120_000)
  let scripts: Scripts
  let folder: string
  before(async () => {
    const load = async (name: string) =>
      (await import(pathToFileURL(join(root, 'scripts', 'mutants', `${name}.mjs`)).href)) as Partial<Scripts>
    scripts = { ...(await load('list')), ...(await load('run')), ...(await load('tree')) } as Scripts
  })
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'capstan-mutants-test-'))))
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  /** A project of one source with its build and one spec. */
  function project(): string {
    const at = join(folder, 'project')
    const put = (file: string, text: string): void => {
      mkdirSync(dirname(join(at, file)), { recursive: true })
      writeFileSync(join(at, file), text)
    }
    put('package.json', '{ "type": "module" }')
    put('tsconfig.json', '{ "compilerOptions": { "target": "es2022", "module": "nodenext", "rootDir": ".", "outDir": "dist" } }')
    put('core/sum.ts', SOURCE)
    put('dist/core/sum.js', 'export const sum = (one, other) => one + other\nexport const unused = () => "unused"\n')
    const assertion = "if (sum(2, 3) !== 5) throw new Error('wrong')"
    put(join('dist', SPEC), `import { sum } from '../core/sum.js'\nit('adds', () => { ${assertion} })\n`)
    symlinkSync(join(root, 'node_modules'), join(at, 'node_modules'))
    return at
  }

  it('every mutation can still be made: its text is in its file once, its specs are there, and each has a name of its own', () => {
    const { mutations, withdrawn } = scripts.readMutations(root)
    const stale = mutations.map((mutation) => [mutation.id, scripts.staleness(root, mutation)]).filter(([, why]) => why !== null)
    expect(stale).to.deep.equal([])
    const ids = [...mutations, ...withdrawn].map(({ id }) => id)
    expect(ids.filter((id, place) => ids.indexOf(id) !== place)).to.deep.equal([])
    for (const { id, equivalent } of mutations) if (equivalent !== undefined) expect(equivalent, id).to.match(/\w{3}/)
    for (const { id, reason } of withdrawn) expect(reason, id).to.match(/\w{3}/)
  })

  it('separates what the tests find from what they do not, and changes nothing of the project', async () => {
    const at = project()
    const built = readFileSync(join(at, 'dist/core/sum.js'), 'utf8')
    const mutation = (id: string, from: string, to: string, more: Partial<Mutation> = {}): Mutation => ({
      ...{ id, file: 'core/sum.ts', from, to, specs: [SPEC] },
      ...more,
    })
    const tree = new scripts.Tree(at)
    const shown: string[] = []
    const results = await scripts.runMutations(
      at,
      [
        mutation('killed', 'one + other', 'one - other'),
        mutation('survived', '"unused"', '"changed"'),
        mutation('absent', 'one * other', 'one'),
        mutation('twice', 'one', 'two'),
        mutation('no program', 'one + other', 'one +'),
        mutation('not loaded', 'export const sum', 'const sum'),
        mutation('equivalent', 'one + other', 'other + one', { equivalent: 'addition is commutative' }),
        mutation('no spec', 'one + other', 'one - other', { specs: ['test/none.spec.js'] }),
      ],
      { trees: [tree], onResult: ({ mutation: { id } }) => void shown.push(id) },
    )
    tree.remove()
    expect(Object.fromEntries(results.map(({ mutation: { id }, state }) => [id, state]))).to.deep.equal({
      killed: 'killed',
      survived: 'survived',
      absent: 'stale',
      twice: 'stale',
      'no program': 'stale',
      'not loaded': 'killed',
      equivalent: 'equivalent',
      'no spec': 'stale',
    })
    const why = (id: string): string => results.find((each) => each.mutation.id === id)?.why ?? ''
    expect([why('killed'), why('survived'), why('absent')]).to.deep.equal(['adds', SPEC, 'its text is there 0 times'])
    expect(why('twice')).to.match(/^its text is there \d+ times$/)
    expect(why('not loaded')).to.contain('did not get to its end')
    expect(shown).to.deep.equal(results.map(({ mutation: { id } }) => id))
    expect([readFileSync(join(at, 'dist/core/sum.js'), 'utf8'), readFileSync(join(at, 'core/sum.ts'), 'utf8')]).to.deep.equal([
      built,
      SOURCE,
    ])
  })

  it('specs that fail or run nothing without the mutation are no proof', async () => {
    const at = project()
    writeFileSync(join(at, 'dist/test/none.spec.js'), "it.skip('is left out', () => {})\n")
    writeFileSync(join(at, 'dist/test/wrong.spec.js'), "it('fails', () => { throw new Error('always') })\n")
    const mutation = { file: 'core/sum.ts', from: 'one + other', to: 'one - other' }
    const tree = new scripts.Tree(at)
    const results = await scripts.runMutations(
      at,
      [
        { ...mutation, id: 'nothing', specs: ['test/none.spec.js'] },
        { ...mutation, id: 'fails', specs: ['test/wrong.spec.js'] },
      ],
      { trees: [tree], onResult: () => undefined },
    )
    tree.remove()
    expect(results.map(({ state }) => state)).to.deep.equal(['broken', 'broken'])
    expect(results.map(({ why }) => why.split('\n')[0])).to.deep.equal([
      'without it test/none.spec.js runs no test',
      'without it test/wrong.spec.js fails: fails',
    ])
  })

  it('leaves nothing behind when it is stopped', async () => {
    const env = { ...process.env, TMPDIR: folder }
    const child = spawn(process.execPath, [join(root, 'scripts', 'mutants.mjs'), '--as-built', 'O12'], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
    await until(() => readdirSync(folder).some((name) => name.startsWith('capstan-mutants-')))
    child.kill('SIGINT')
    expect(await ended).to.equal(130)
    expect(readdirSync(folder)).to.deep.equal([])
  })

  it('lists what there is and refuses unknown names', async () => {
    const run = async (...args: string[]): Promise<{ code: number | null; out: string }> => {
      const child = spawn(process.execPath, [join(root, 'scripts', 'mutants.mjs'), ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
      let out = ''
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (out += chunk.toString()))
      return { code: await new Promise((resolve) => child.on('close', resolve)), out }
    }
    const help = await run('--help')
    expect(help).to.include({ code: 0 })
    expect(help.out).to.contain('Example: npm run mutants')
    const list = await run('--list', '--file', 'core/outbound/redact.ts')
    expect(list).to.include({ code: 0 })
    expect(list.out)
      .to.match(/^O12 +core\/outbound\/redact\.ts\n/m)
      .and.to.match(/^\d+ mutations; \d+ withdrawn$/m)
    expect(await run('--list', 'NONE')).to.deep.include({ code: 2, out: 'there is no mutation NONE; --list says which there are\n' })
  })
})
