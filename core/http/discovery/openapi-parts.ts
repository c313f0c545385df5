import { CATALOGUE } from '../../problems/catalogue.js'
import type { TSchema } from '../../sdk/index.js'

/** Headers of every answer. */
export const HEADERS: Readonly<Record<string, unknown>> = {
  'X-Request-Id': { description: 'Id of the request, for support.', schema: { type: 'string' } },
  'X-RateLimit-Limit': { description: 'Requests a minute.', schema: { type: 'integer' } },
  'X-RateLimit-Remaining': { description: 'Requests left now.', schema: { type: 'integer', minimum: 0 } },
  'X-RateLimit-Reset': { description: 'When the limit is fully available again, in Unix seconds.', schema: { type: 'integer' } },
  'X-Credits-Used': {
    description: 'Credits charged for this request; a trailer of event streams.',
    schema: { type: 'number', minimum: 0 },
  },
}

const METADATA = {
  type: 'object',
  properties: {
    provider_used: { type: ['string', 'null'], description: 'Vendor whose data was used, or a word for several.' },
    providers_tried: { type: 'array', items: { type: 'string' }, description: 'Vendors that were called, in order.' },
    mode_used: { type: ['string', 'null'] },
    response_time_ms: { type: 'number' },
    request_id: { type: 'string' },
    attempts: {
      type: 'array',
      description: 'Every try of a vendor, in the order in which they began.',
      items: {
        type: 'object',
        properties: {
          provider: { type: 'string' },
          port: { type: 'string' },
          under: {
            type: 'string',
            description:
              'The step that called the port, as port/vendor or as the id of a capability; absent where the capability itself did.',
          },
          outcome: { type: 'string', enum: ['ok', 'invalid', 'missing', 'blocked', 'busy', 'quota', 'credentials', 'broken', 'skipped'] },
          ms: { type: 'number' },
          reason: { type: 'string' },
        },
        required: ['provider', 'port', 'outcome', 'ms'],
      },
    },
    credits_balance: { type: 'number' },
    notes: { type: 'array', items: { type: 'string' } },
    usage: {
      type: 'array',
      description: 'Tokens that language models counted, by vendor and model; absent when none was used.',
      items: {
        type: 'object',
        properties: {
          provider: { type: 'string' },
          model: { type: 'string' },
          input_tokens: { type: 'integer', minimum: 0 },
          output_tokens: { type: 'integer', minimum: 0 },
        },
        required: ['provider', 'model', 'input_tokens', 'output_tokens'],
      },
    },
  },
  required: ['provider_used', 'providers_tried', 'mode_used', 'response_time_ms', 'request_id', 'attempts'],
}

/** The envelope around a capability's result. */
export function envelopeOf(data: TSchema): Record<string, unknown> {
  return {
    type: 'object',
    properties: {
      success: { type: 'boolean', const: true },
      data,
      error: { type: 'null' },
      metadata: METADATA,
      credits_used: { type: 'number', minimum: 0 },
    },
    required: ['success', 'data', 'error', 'metadata', 'credits_used'],
  }
}

/** The envelope of every error. */
export function errorEnvelope(): unknown {
  return {
    type: 'object',
    properties: {
      success: { type: 'boolean', const: false },
      data: { type: 'null' },
      error: {
        type: 'object',
        properties: {
          type: { type: 'string', format: 'uri' },
          title: { type: 'string' },
          status: { type: 'integer' },
          detail: { type: 'string' },
          is_retriable: { type: 'boolean' },
          retry_after_seconds: { type: 'integer', minimum: 0 },
          alternative_action: { type: 'string' },
          error_category: { type: 'string', enum: [...new Set(Object.values(CATALOGUE).map((kind) => kind.category))] },
        },
        required: ['type', 'title', 'status', 'detail', 'is_retriable', 'alternative_action', 'error_category'],
      },
      metadata: METADATA,
      credits_used: { type: 'number', const: 0 },
      detail: {
        type: 'array',
        description: 'On validation errors: every fault with its location.',
        items: {
          type: 'object',
          properties: { loc: { type: 'array', items: { type: ['string', 'integer'] } }, msg: { type: 'string' }, type: { type: 'string' } },
          required: ['loc', 'msg', 'type'],
        },
      },
    },
    required: ['success', 'data', 'error', 'metadata', 'credits_used'],
  }
}
