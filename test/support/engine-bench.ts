import { createHash } from 'node:crypto'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { openResource, Type, type Resource, type ResourceHost } from '../../core/sdk/index.js'
import { engine, type Engine, type EngineDefinition, type Question } from '../../plugins/_shared/engine.js'
import type { TestSandbox } from './exec-sandbox.js'

const settings = Type.Object({ word: Type.String() })
type Definition = EngineDefinition<typeof settings>
type Call = Parameters<Engine['ask']>[0]

const NODE = `
import { existsSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { networkInterfaces, tmpdir } from 'node:os'
const network = () => ({
  devices: readFileSync('/proc/net/dev', 'utf8').split('\\n').slice(2).filter(Boolean).map((line) => line.split(':')[0].trim()),
  beyond: Object.values(networkInterfaces()).flat().filter(({ internal }) => !internal),
  routes: readFileSync('/proc/net/route', 'utf8').trim().split('\\n').length - 1,
  namespace: readlinkSync('/proc/self/ns/net'),
})
export const open = async ([model, secret, word, ...packs]) => {
  const text = readFileSync(model, 'utf8')
  const kept = []
  console.log('a library that prints')
  return async (input, bytes, report) => {
    if (input.do === 'die') process.exit(3)
    if (input.do === 'hang') for (;;);
    if (input.do === 'wait') await new Promise(() => setInterval(() => undefined, 1000))
    if (input.do === 'grow') for (;;) kept.push(Buffer.alloc(8 << 20, 1))
    if (input.do === 'fill') kept.push(Buffer.alloc(input.mb << 20, 1))
    if (input.do === 'refuse') throw Object.assign(new Error('There is nothing in it.'), { kind: 'missing' })
    if (input.do === 'fail') throw new Error('of no use to a caller')
    if (input.do === 'flood') process.stdout.write('x')
    if (input.do === 'write') writeFileSync(tmpdir() + '/left', 'x'.repeat(1 << 20))
    if (input.do === 'network') return { result: network() }
    if (input.do === 'packs') return { result: packs.map((path) => readFileSync(path, 'utf8')) }
    report({ half: true })
    const reached = await fetch('http://192.0.2.1/').then(() => true, () => false)
    return { result: { text, word, sees: existsSync(secret), reached, memory: kept.length, left: existsSync(tmpdir() + '/left') }, bytes: bytes.toReversed() }
  }
}
`
const PYTHON = `
import os
import helper
from engine_process import Refused
def open_engine(args):
    print('a library that prints')
    def answer(given, data, report):
        if given.get('do') == 'refuse':
            raise Refused('invalid', 'This is not a sound.')
        if given.get('do') == 'fail':
            raise ValueError('of no use to a caller')
        if given.get('do') == 'network':
            with open('/proc/net/dev') as file:
                devices = [line.split(':')[0].strip() for line in list(file)[2:]]
            return {'devices': devices, 'namespace': os.readlink('/proc/self/ns/net')}, b''
        report({'half': True})
        return {'text': open(args[0]).read(), 'helper': helper.NAME}, data[::-1]
    return answer
`

type Files = Readonly<Record<string, string>>

/** Text of a manifest; the hashes are those of the files. */
export function engineManifest(id: string, files: Files, more: object = {}): string {
  const listed = Object.entries(files).map(([path, text]) => ({
    path,
    sha256: createHash('sha256').update(text).digest('hex'),
    licence: 'MIT',
  }))
  return JSON.stringify({ id, title: 'A demo', serves: 'nothing', installed_mb: 1, files: listed, ...more })
}

/** Engines in a real sandbox, with packs that a test makes. The pack `demo` is there, and code for Node and for Python. */
export class EngineBench {
  readonly root = mkdtempSync(join(tmpdir(), 'capstan-engine-'))
  /** What engines logged. */
  readonly logs: { readonly message: string; readonly fields: Readonly<Record<string, unknown>> }[] = []
  readonly #box: TestSandbox
  readonly #opened: { readonly resource: Resource<Engine>; readonly engine: Engine }[] = []

  constructor(box: TestSandbox) {
    this.#box = box
    chmodSync(this.root, 0o755)
    this.pack('demo', { 'model.txt': 'weights' })
    this.write('secret', 'x')
    this.write('demo.json', engineManifest('demo', { 'model.txt': 'weights' }))
    this.write('code/demo.mjs', NODE)
    this.write('code/demo.py', PYTHON)
  }

  readonly path = (...name: string[]): string => join(this.root, ...name)
  readonly file = (name: string): URL => pathToFileURL(this.path(name))

  write(name: string, text: string): void {
    mkdirSync(dirname(this.path(name)), { recursive: true })
    writeFileSync(this.path(name), text)
  }

  /** Brings a pack as `npm run tools` does: whole, into its place, in one step. */
  pack(id: string, files: Files, more: object = {}): void {
    const folder = this.path('tools', `.new-${id}`)
    mkdirSync(join(folder, 'bin'), { recursive: true })
    mkdirSync(join(folder, 'lib'), { recursive: true })
    writeFileSync(join(folder, 'lib', 'helper.py'), "NAME = 'from the pack'\n")
    writeFileSync(join(folder, 'bin', id), '#!/bin/sh\n', { mode: 0o755 })
    writeFileSync(join(folder, 'pack.json'), engineManifest(id, files, more))
    for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text)
    const all = readdirSync(folder, { withFileTypes: true, recursive: true }).filter((entry) => entry.isFile())
    const paths = all.map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    writeFileSync(join(folder, 'contents'), paths.map((path) => `${statSync(join(folder, path)).size} ${path}\n`).join(''))
    this.remove(id)
    renameSync(folder, this.path('tools', id))
  }

  remove(id: string): void {
    rmSync(this.path('tools', id), { recursive: true, force: true })
  }

  async open(more: Partial<Definition> = {}): Promise<Engine> {
    const resource = engine<typeof settings>({
      id: 'demo.engine',
      manifest: this.file('demo.json'),
      module: this.file('code/demo.mjs'),
      settings,
      args: ({ packs: [own, ...others], settings: { word } }) => [
        ...[own.path('model.txt'), this.path('secret'), word],
        ...others.map((pack) => pack.path('x.txt')),
      ],
      memoryMb: 256,
      ...more,
    })
    const program = this.path('tools', 'demo', 'bin', 'demo')
    const host = {
      program: (name: string) => {
        if (name !== 'demo') return this.#box.sandbox.program(name)
        return statSync(program, { throwIfNoEntry: false }) === undefined ? undefined : program
      },
      start: (...given: Parameters<ResourceHost['start']>) => this.#box.sandbox.start(...given),
      log: (message: string, fields = {}) => void this.logs.push({ message, fields }),
      settings: { word: 'set' },
    } as unknown as ResourceHost
    const opened = await openResource(resource, host)
    this.#opened.push({ resource, engine: opened })
    return opened
  }

  call(signal: Call['signal'] = new AbortController().signal, left = 20_000): Call {
    return { signal, timeLeft: () => left, caller: { account: 'a', key: 'k' }, log: () => undefined }
  }

  ask(given: Engine, input: object = {}, more: Partial<Question> = {}) {
    return given.ask(this.call(), { input, bytes: Uint8Array.of(1, 2, 3), timeoutMs: 15_000, ...more })
  }

  /** How much the process that answers was made to keep: another one has nothing. */
  async memoryOf(given: Engine): Promise<unknown> {
    return ((await this.ask(given)).result as { memory: number }).memory
  }

  /** Ends the engines that were opened. */
  async end(): Promise<void> {
    for (const { resource, engine: each } of this.#opened.splice(0)) await resource.close?.(each)
  }

  async close(): Promise<void> {
    await this.end()
    rmSync(this.root, { recursive: true, force: true })
  }
}
