import { isRecord } from '../sdk/record.js'
import type { Found } from './sentence.js'
import { aboutWords, kindWords, typeWords } from './words.js'

/** Fields of an object that are named. */
const MOST_NAMES = 12

/** What is wanted of a value of another type, and how to write what was probably meant. */
export function typeSentence({ params, schema, value, texts }: Found): string {
  const types = (Array.isArray(params.type) ? params.type.map(String) : String(params.type).split(',')).filter((type) => type !== 'null')
  const numbers = types.includes('number') || types.includes('integer')
  const wanted = `must be ${typeWords(params.type)}${types.includes('object') ? fieldWords(schema) : ''}`
  if (texts) return `${wanted}${numbers ? aboutWords(schema) : ''}`
  const sent = typeof value === 'number' && numbers ? String(value) : kindWords(value)
  const instead = types.map((type) => insteadOf(type, value, schema)).find((words) => words !== null)
  return `${wanted}, not ${sent}${instead === undefined ? (numbers ? aboutWords(schema) : '') : ` (${instead})`}`
}

function fieldWords({ properties }: Found['schema']): string {
  const names = isRecord(properties) ? Object.keys(properties) : []
  return names.length === 0 || names.length > MOST_NAMES ? '' : ` with ${names.join(', ')}`
}

/** The commonest slips: a value in quotes, JSON as a text, one entry in place of a list, and a list in place of one. */
function insteadOf(type: string, value: unknown, schema: Found['schema']): string | null {
  if (Array.isArray(value)) return type === 'string' ? 'give one value without brackets' : null
  if (typeof value !== 'string') return null
  switch (type) {
    case 'number':
    case 'integer':
      return /^-?\d+(?:\.\d+)?$/.test(value) ? 'write it without quotes' : null
    case 'boolean':
      return /^(?:true|false)$/i.test(value) ? `write ${value.toLowerCase()} without quotes` : null
    case 'array':
      if (/^\s*\[/.test(value)) return 'send the list itself, not its JSON as a text'
      return takesTexts(schema.items) ? 'put it in brackets: ["..."]' : null
    case 'object':
      return /^\s*\{/.test(value) ? 'send the object itself, not its JSON as a text' : null
    default:
      return null
  }
}

function takesTexts(items: unknown): boolean {
  if (!isRecord(items)) return true
  return items.type === undefined || items.type === 'string' || (Array.isArray(items.type) && items.type.includes('string'))
}
