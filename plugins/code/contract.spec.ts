import { expect } from 'chai'
import { SchemaCompiler } from '../../core/sdk/index.js'
import { codeInput } from '../../test/support/code.js'
import { execute, type CodeInput } from './contract.js'

const file = (given: Partial<CodeInput['input_files'][number]>) => ({
  name: 'a.txt',
  content: null,
  encoding: 'utf-8' as const,
  url: null,
  ...given,
})
const locs = (given: Partial<CodeInput>) => (execute.check?.(codeInput({ code: '1', ...given })) ?? []).map(({ loc }) => loc.join('.'))

describe('the contract of code.execute', () => {
  const validator = new SchemaCompiler().compile(execute.input)

  it('fills in defaults', () => {
    expect(codeInput({ code: '1' })).to.eql({ code: '1', language: 'python', timeout: 30, template: null, input_files: [], packages: [] })
    const input = codeInput({ code: '1', input_files: [{ name: 'a', content: 'x' } as never] })
    expect(input.input_files).to.eql([{ name: 'a', content: 'x', encoding: 'utf-8', url: null }])
  })

  it('refuses wrong fields by schema, naming each', () => {
    const wrong: Record<string, unknown> = {
      '/code': { code: '' },
      '/language': { code: '1', language: 'ruby' },
      '/timeout': { code: '1', timeout: 301 },
      '/template': { code: '1', template: 'gpu' },
      '/packages': { code: '1', packages: Array.from({ length: 21 }, (_, at) => `p${at}`) },
      '/input_files/0': { code: '1', input_files: [{ name: 'a', content: '', mode: 7 }] },
      '/input_files/0/encoding': { code: '1', input_files: [{ name: 'a', content: '', encoding: 'hex' }] },
    }
    for (const [place, value] of Object.entries(wrong)) {
      expect(validator.check(value), place).to.equal(false)
      expect(validator.errors().map(({ instancePath }) => instancePath)).to.include(place)
    }
    expect(validator.check({ code: 'x'.repeat(1_000_001) })).to.equal(false)
    expect(validator.check({ code: '1', timeout: 1.5 })).to.equal(false)
  })

  it('T-46 takes package names and exact versions, and no options, addresses or paths', () => {
    const good = ['numpy', 'scikit-learn==1.5.0', 'zope.interface', 'A_b', 'x==1!2.0.post1+local']
    expect(locs({ packages: good })).to.eql([])
    const bad = [
      '--index-url=http://x',
      '-r',
      'a b',
      './a',
      '../a',
      '/a',
      'git+https://x',
      'http://x',
      'a==1 --pre',
      'a;b',
      'a@http://x',
      'a[b]',
      'a>=1',
      '$(id)',
      "a'",
      'a==',
      '==1',
      'a\n-r',
      'a==1.*',
      '_a',
    ]
    expect(locs({ packages: bad })).to.eql(bad.map((_, at) => `packages.${at}`))
  })

  it('refuses packages for other languages than Python', () => {
    expect(locs({ language: 'shell', packages: ['six'] })).to.eql(['packages'])
    expect(locs({ language: 'javascript', packages: [] })).to.eql([])
  })

  it('T-48 takes plain file names only, each once, and none of the runner', () => {
    const bad = ['../a', 'a/b', '/etc/passwd', '..', '.', '.bashrc', 'a\\b', 'a\u0000b', 'a\nb', 'main.py', 'packages.tgz', 'ä'.repeat(150)]
    expect(locs({ input_files: bad.map((name) => file({ name, content: '' })) })).to.eql(bad.map((_, at) => `input_files.${at}.name`))
    expect(
      locs({
        input_files: [
          file({ name: 'data 1.csv', content: '' }),
          file({ name: 'ünï.json', content: '' }),
          file({ name: 'main.js', content: '' }),
        ],
      }),
    ).to.eql([])
    expect(locs({ input_files: [file({ content: 'a' }), file({ content: 'b' })] })).to.eql(['input_files.1.name'])
  })

  it('wants exactly one of content and url', () => {
    expect(
      locs({
        input_files: [file({}), file({ name: 'b', content: '', url: 'https://x.example' }), file({ name: 'c', url: 'ftp://x.example' })],
      }),
    ).to.eql(['input_files.0.content', 'input_files.1.url', 'input_files.2.url'])
  })

  it('T-48 counts input files decoded, at most 10 MiB together', () => {
    const half = 'x'.repeat(5 * 1024 * 1024)
    expect(locs({ input_files: [file({ content: half }), file({ name: 'b', content: half })] })).to.eql([])
    expect(locs({ input_files: [file({ content: half }), file({ name: 'b', content: `${half}x` })] })).to.eql(['input_files'])
    const base64 = Buffer.alloc(10 * 1024 * 1024).toString('base64')
    expect(locs({ input_files: [file({ content: base64, encoding: 'base64' })] })).to.eql([])
  })

  it('refuses content that is not base64 where it is said to be', () => {
    for (const content of ['a', 'a b=', 'ab=c', '====', 'YQ', 'YQ==YQ==', 'YWJj====', 'YWJ*'])
      expect(locs({ input_files: [file({ content, encoding: 'base64' })] }), content).to.eql(['input_files.0.content'])
    expect(locs({ input_files: [file({ content: 'YQ==', encoding: 'base64' })] })).to.eql([])
  })

  it('gives a call its timeout and half a minute, and a minute more for packages', () => {
    const limit = execute.timeoutMs
    if (typeof limit !== 'function') throw new Error('a function is expected')
    expect(limit(codeInput({ code: '1', timeout: 10 }))).to.equal(40_000)
    expect(limit(codeInput({ code: '1', timeout: 10, packages: ['six'] }))).to.equal(100_000)
    expect(execute.price.quote(codeInput({ code: '1' }))).to.equal(2)
  })
})
