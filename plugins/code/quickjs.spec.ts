import { expect } from 'chai'
import { CodeBench, codeInput } from '../../test/support/code.js'
import { atMost } from '../../test/support/time.js'
import type { CodeInput } from './contract.js'
import { quickjs } from './providers/quickjs.js'

describe('code.execute by quickjs', function () {
  this.timeout(30_000)
  let bench: CodeBench
  const run = async (code: string, given: Partial<CodeInput> = {}) => {
    return await bench.run(quickjs, { code, language: 'javascript', timeout: 1, ...given })
  }
  const codeOf = async (code: string) => (await run(code)).exit_code

  before(async () => {
    bench = await CodeBench.open()
  })
  after(() => bench.close())

  it('runs the first line a new user tries, with nothing installed, and says where it ran', async () => {
    bench.notes.length = 0
    expect(await run('console.log(6*7)')).to.include({ stdout: '42\n', stderr: '', exit_code: 0, template_used: 'default' })
    expect(bench.notes.join()).to.contain('QuickJS')
  })

  it('takes JavaScript without files, packages and templates, and nothing else', () => {
    const takes = (given: Partial<CodeInput>) => quickjs.serves?.(codeInput({ code: '1', language: 'javascript', ...given }) as never)
    expect([takes({}), takes({ template: 'default' })]).to.eql([true, true])
    const file = { name: 'a', content: '', encoding: 'utf-8', url: null } as const
    expect([
      takes({ language: 'python' }),
      takes({ language: 'shell' }),
      takes({ template: 'web-dev' }),
      takes({ input_files: [file] }),
    ]).to.eql([false, false, false, false])
  })

  it('keeps standard output and standard error apart', async () => {
    expect(await run('console.log("a"); console.error("b"); console.warn("c"); console.info("d")')).to.include({
      stdout: 'a\nd\n',
      stderr: 'b\nc\n',
    })
  })

  it('ends with 1 and the stack for an error nobody caught, thrown or rejected', async () => {
    expect(await run('console.log(1)\nnull.x')).to.deep.include({
      stdout: '1\n',
      exit_code: 1,
      stderr: "TypeError: cannot read property 'x' of null\n    at <eval> (main.js:2:5)\n",
    })
    expect((await run('async function main() { throw new RangeError("no") }\nmain()')).stderr).to.match(/^RangeError: no\n {4}at main/)
    expect((await run('await Promise.reject(new Error("late"))')).stderr).to.match(/^Error: late/)
    expect((await run('setTimeout(() => { throw new Error("later") }, 1)')).stderr).to.match(/^Error: later/)
    expect(await run('throw { a: 1 }')).to.include({ exit_code: 1, stderr: 'Uncaught { a: 1 }\n' })
    expect((await run('let = (')).stderr).to.match(/^SyntaxError/)
    expect((await run('import fs from "fs"')).stderr).to.match(/could not load module 'fs'/)
  })

  it('runs timers and promises in their order, then ends', async () => {
    const code =
      'setTimeout(() => console.log(3), 2); queueMicrotask(() => console.log(2)); console.log(1); let n = 0; const i = setInterval(() => { if (++n === 3) { clearInterval(i); console.log(4) } }, 3)'
    expect(await run(code)).to.include({ stdout: '1\n2\n3\n4\n', exit_code: 0 })
    expect((await run('console.log(await new Promise((ok) => setTimeout(ok, 1, "x")))')).stdout).to.equal('x\n')
  })

  it('T-45 stops endless loops of every kind at the timeout with 124 and the output so far', async function () {
    const loops = {
      plain: 'console.log("begun"); for (;;);',
      regex: 'console.log("begun"); /(a+)+$/.test("a".repeat(40) + "b")',
      // This built-in never checks the clock: the thread is killed.
      builtIn: 'console.log("begun"); Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)',
      promises: 'console.log("begun"); const again = () => Promise.resolve().then(again); again()',
      doubling: 'console.log("begun"); const two = () => { Promise.resolve().then(two); Promise.resolve().then(two) }; two()',
      timer: 'console.log("begun"); setInterval(() => {}, 1)',
      sleeping: 'console.log("begun"); setTimeout(() => {}, 1e9)',
      caught: 'console.log("begun"); for (;;) { try { for (;;); } catch {} }',
    }
    for (const [name, code] of Object.entries(loops)) {
      const { exit_code, stdout, stderr, execution_time_ms } = await run(code)
      expect({ exit_code, stdout, stderr }, name).to.eql({
        exit_code: 124,
        stdout: 'begun\n',
        stderr: 'stopped: the time limit of 1 s was reached\n',
      })
      expect(execution_time_ms, name).to.be.at.least(950)
      await atMost(this, { what: name, value: execution_time_ms, limit: 4000 })
    }
  })

  it('T-45 F-32 answers 137 and names the limit for programs that run out of memory', async () => {
    const hogs = [
      'const x = []; for (;;) x.push(new Array(1e5).fill(1))',
      'const x = []; for (;;) x.push(new Uint8Array(1e6))',
      'const x = new Map(); for (let i = 0; ; i++) x.set(i, "x".repeat(10000) + i)',
    ]
    for (const code of hogs) {
      const { exit_code, stderr } = await run(code, { timeout: 20 })
      expect({ exit_code, stderr }, code).to.eql({ exit_code: 137, stderr: 'stopped: out of memory, the limit is 128 MiB\n' })
    }
  })

  it('T-45 cuts a flood of output at 1 MiB with a mark', async () => {
    const { stdout } = await run('for (let i = 0; i < 5000; i++) console.log("x".repeat(1000))')
    expect(stdout).to.have.length.within(1024 * 1024, 1024 * 1024 + 100)
    expect(stdout).to.match(/output cut: only the first 1 MiB is kept\]\n$/)
  })

  it('T-44 survives deep recursion of its own functions, built-ins and parser', async () => {
    for (const code of [
      'function f() { f() } f()',
      'eval("(".repeat(1e5))',
      'let p = { get a() { return p.a } }; p.a',
      'const q = new Proxy({}, { get: (t, k, r) => r[k] }); q.x',
      'JSON.parse("[".repeat(1e5))',
    ])
      expect(await codeOf(code), code).to.equal(1)
    expect(await run('function f(n) { return n === 0 ? 0 : 1 + f(n - 1) } console.log(f(1000))')).to.include({ stdout: '1000\n' })
    expect(await run('function f() { f() } try { f() } catch (e) { console.log(e.message) }')).to.include({
      stdout: 'stack overflow\n',
      exit_code: 0,
    })
  })

  it('T-44 finds no way to the process around it', async () => {
    const code = `
      const found = []
      const names = ['process', 'require', 'module', 'global', 'Buffer', 'fetch', 'WebAssembly', 'SharedArrayBuffer', 'Atomics', 'importScripts', 'std', 'os', 'Worker']
      const seen = (where, object) => { for (const name of names) if (object != null && name in Object(object) && !['SharedArrayBuffer', 'Atomics'].includes(name)) found.push(where + '.' + name) }
      seen('globalThis', globalThis)
      for (const way of [() => globalThis.constructor.constructor('return this')(), () => console.log.constructor('return this')(), () => setTimeout.constructor('return this')(),
        () => Object.getPrototypeOf(async () => {}).constructor('return this')(), () => new Function('return this')(), () => (0, eval)('this')]) seen('way', way())
      try { null.x } catch (error) { seen('error', error.constructor.constructor('return this')()) }
      Error.prepareStackTrace = (error, frames) => frames
      seen('frames', new Error().stack)
      let module = 'none'
      try { module = typeof (await import('node:fs')) } catch (error) { module = 'refused' }
      console.log(JSON.stringify({ found, module }))`
    expect(JSON.parse((await run(code)).stdout)).to.eql({ found: [], module: 'refused' })
  })

  it('T-44 a guest that changes built-ins harms itself alone', async () => {
    const tricks = [
      'Object.prototype.then = function () { throw 1 }; Array.prototype.map = null; console.log([1])',
      'Object.prototype.toString = () => { throw 1 }; JSON.stringify = () => 7; console.log({ a: "x" })',
      'Object.defineProperty(Object.prototype, "value", { get() { throw new Error("trap") } }); console.log({ a: 1 })',
      'Map.prototype.set = () => { throw 1 }; setTimeout(() => {}, 1)',
      'Error.prototype.name = { toString() { throw 1 } }; throw new Error("x")',
      'throw { get message() { throw 1 }, get name() { throw 2 } }',
      'throw new Proxy({}, { get() { throw 1 }, getPrototypeOf() { throw 2 }, ownKeys() { throw 3 } })',
      'console.log = 1; delete globalThis.console; globalThis = undefined; throw 5',
    ]
    for (const code of tricks) expect(await codeOf(code), code).to.be.oneOf([0, 1])
    expect(await run('console.log({}.polluted, [1], Object.prototype.then)')).to.include({
      stdout: 'undefined [ 1 ] undefined\n',
      exit_code: 0,
    })
  })

  it('keeps nothing between runs', async () => {
    await run('globalThis.secret = 1; Array.prototype.kept = 1')
    expect((await run('console.log(typeof secret, [].kept)')).stdout).to.equal('undefined undefined\n')
  })
})
