import { foreignJson } from '../../core/sdk/index.js'

/** The JSON value of a model's answer, also inside a code fence or other text; undefined when there is none. Linear time. */
export function parsedAnswer(text: string): unknown {
  const whole = parsed(text.trim())
  if (whole !== undefined) return whole
  const start = text.search(/[[{]/)
  const end = Math.max(text.lastIndexOf('}'), text.lastIndexOf(']'))
  return start === -1 || end < start ? undefined : parsed(text.slice(start, end + 1))
}

function parsed(text: string): unknown {
  try {
    return foreignJson(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
