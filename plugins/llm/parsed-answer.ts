/** The JSON value of a model's answer, also when it stands in a fence or between other words; undefined when there is none. Linear time. */
export function parsedAnswer(text: string): unknown {
  const whole = parsed(text.trim())
  if (whole !== undefined) return whole
  const start = text.search(/[[{]/)
  const end = Math.max(text.lastIndexOf('}'), text.lastIndexOf(']'))
  return start === -1 || end < start ? undefined : parsed(text.slice(start, end + 1))
}

function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return value
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
