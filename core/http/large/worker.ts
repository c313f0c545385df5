import { parentPort } from 'node:worker_threads'
import { fingerprint } from '../../calls/idempotency/fingerprint.js'
import { Problem } from '../../problems/problem.js'
import { collectGarbage, lowerPriority } from '../../runtime/threads.js'
import { SchemaCompiler, type Validator } from '../../sdk/validate.js'
import type { TSchema } from '../../sdk/schema.js'
import { detach, movedWith } from '../../runtime/detach.js'
import { agentInput } from '../sent-body.js'
import { validated } from '../validation.js'
import type { FromBodyWorker, SentProblem, ToBodyWorker } from './bodies.js'
import { parseLarge } from './parse.js'

/** Most compiled schemas: more than any gateway has, unless plugins are reloaded repeatedly. */
const MOST_SCHEMAS = 200

/** Parses, fingerprints and checks large bodies, one at a time, on a separate thread. */
class BodyWorker {
  #compiler = new SchemaCompiler()
  readonly #validators = new Map<string, Validator<TSchema>>()
  #body: Record<string, unknown> = {}

  answer(message: ToBodyWorker): FromBodyWorker | null {
    try {
      switch (message.kind) {
        case 'open':
          return { kind: 'opened', opened: this.#open(message) }
        case 'check':
          return { kind: 'checked', input: this.#check(message) }
        case 'forget':
          this.#body = {}
          return null
      }
    } catch (error) {
      this.#body = {}
      if (error instanceof Problem) return { kind: 'refused', problem: sent(error) }
      return { kind: 'failed', internal: error instanceof Error ? (error.stack ?? error.message) : String(error) }
    }
  }

  #open({ buffer, length, request, agent }: Extract<ToBodyWorker, { kind: 'open' }>) {
    // The garbage collector would free these bytes much later.
    this.#body = parseLarge(Buffer.from(buffer, 0, length), () => buffer.resize(0))
    // Frees the source texts before the fingerprint creates as many again.
    if (request !== null) collectGarbage(length)
    const print = request === null ? null : fingerprint(request.method, request.path, this.#body)
    const capability = agent ? validated(this.#compiler.compileInput(agentInput), this.#body, ['body']).capability : ''
    return { fingerprint: print, capability }
  }

  #check({ schema, at }: Extract<ToBodyWorker, { kind: 'check' }>) {
    const given = at === 'body' ? this.#body : (this.#body['params'] ?? {})
    this.#body = {}
    const input = detach(validated(this.#validator(schema), given, at === 'body' ? ['body'] : ['body', 'params']))
    collectGarbage(input.buffer.byteLength)
    return input
  }

  #validator(schema: string): Validator<TSchema> {
    const known = this.#validators.get(schema)
    if (known !== undefined) return known
    if (this.#validators.size >= MOST_SCHEMAS) {
      this.#validators.clear()
      this.#compiler = new SchemaCompiler()
    }
    const read: unknown = JSON.parse(schema)
    if (typeof read !== 'object' || read === null) throw new TypeError('a schema is an object')
    const validator = this.#compiler.compileInput(read)
    this.#validators.set(schema, validator)
    return validator
  }
}

lowerPriority()

const worker = new BodyWorker()
parentPort?.on('message', (message: ToBodyWorker) => {
  const reply = worker.answer(message)
  if (reply !== null) parentPort?.postMessage(reply, reply.kind === 'checked' ? movedWith(reply.input) : [])
})

function sent({ slug, message, options: { action, validation } }: Problem): SentProblem {
  return { slug, detail: message, action: action ?? null, validation: validation ?? null }
}
