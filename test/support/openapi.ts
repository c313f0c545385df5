import { withoutSlashes } from '../../core/http/target.js'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import type { Reply, TestGateway } from './gateway.js'

interface Operation {
  readonly responses: Record<string, { readonly content?: Record<string, { readonly schema: unknown }> }>
}
export interface Document {
  readonly openapi: string
  readonly info: { readonly version: string }
  readonly paths: Record<string, Record<string, Operation>>
  readonly [part: string]: unknown
}

/** Holds answers against the gateway's own OpenAPI description. */
export class OpenApiChecker {
  readonly document: Document
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true })
  readonly #compiled = new Map<string, ValidateFunction>()
  /** `METHOD path status` of every answer checked so far. */
  readonly seen = new Set<string>()

  private constructor(document: Document) {
    this.document = document
    formats.default(this.#ajv)
    this.#ajv.addSchema({ $id: 'http://description/', ...document })
  }

  static async of(gateway: TestGateway): Promise<OpenApiChecker> {
    return new OpenApiChecker((await gateway.send('/v1/openapi.json', { key: null })).json())
  }

  /** What is wrong with an answer; nothing for paths and methods that are not described when the answer is 400, 404 or 405. */
  faults(method: string, url: string, reply: Reply): string[] {
    const plain = withoutSlashes(url.split('?')[0] ?? '')
    const path = Object.keys(this.document.paths).find((template) => new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`).test(plain))
    const operation = path === undefined ? undefined : this.document.paths[path]?.[method.toLowerCase()]
    const name = `${method} ${path ?? url} ${reply.status}`
    if (path === undefined || operation === undefined) return [400, 404, 405].includes(reply.status) ? [] : [`${name} is not described`]
    const response = operation.responses[String(reply.status)]
    if (response === undefined) return [`${name} is not described`]
    this.seen.add(name)
    const media = (reply.headers['content-type'] ?? '').split(';')[0]?.trim() ?? ''
    if (response.content === undefined) return reply.text === '' ? [] : [`${name} has content`]
    const described = Object.keys(response.content)
    if (!described.includes(media)) return [`${name} has ${media}, not ${described.join(', ')}`]
    if (media !== 'application/json') return []
    const validate = this.#validator(path, method.toLowerCase(), String(reply.status))
    return validate(reply.json()) ? [] : [`${name}: ${this.#ajv.errorsText(validate.errors)} in ${reply.text.slice(0, 300)}`]
  }

  #validator(path: string, method: string, status: string): ValidateFunction {
    const parts = ['paths', path, method, 'responses', status, 'content', 'application/json', 'schema']
    const pointer = parts.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')
    let validate = this.#compiled.get(pointer)
    if (validate === undefined) {
      validate = this.#ajv.compile({ $ref: `http://description/#/${pointer}` })
      this.#compiled.set(pointer, validate)
    }
    return validate
  }
}
