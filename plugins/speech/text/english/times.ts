import { cardinal } from './numbers.js'
import { NONE, isOpen, type Rule, type Token } from './token.js'

const HALF = /^([ap])\.?m$/i
const CLOCK = /^(\d{1,2})(?::(\d\d)(?::(\d\d))?)?([ap]\.?m)?$/i

/** Times of day: `9:05` is `nine oh five`, `5 p.m.` `five PM`, `15:00` `fifteen hundred`, `10-11am` `ten to eleven AM`. */
export const timeRule: Rule = (tokens, at) => {
  const [first = NONE, second = NONE] = tokens.slice(at, at + 2)
  const apart = isOpen(first) ? halfOf(second) : null
  const range = /^(\d{1,2}(?::\d\d)?)[-–](\S{1,12})$/.exec(first.core)
  if (range !== null) {
    const [from, to] = [read(range[1] ?? '', apart, false), read(range[2] ?? '', apart, true)]
    if (from === null || to === null || !(range[0].includes(':') || to.half !== '')) return null
    return { words: `${from.clock} to ${to.clock}${to.half}`, used: apart === null ? 1 : 2 }
  }
  const found = read(first.core, apart, true)
  if (found === null || !(first.core.includes(':') || found.half !== '')) return null
  const oclock = second.core.toLowerCase() === "o'clock"
  return { words: oclock ? found.hour : found.clock + found.half, used: apart === null ? 1 : 2 }
}

interface Time {
  readonly hour: string
  readonly clock: string
  /** AM or PM with a leading blank; empty when absent. */
  readonly half: string
}

function read(text: string, apart: string | null, last: boolean): Time | null {
  const [, hours, minutes, seconds, attached] = CLOCK.exec(text) ?? []
  if (hours === undefined || Number(hours) > 24 || Number(minutes ?? 0) > 59 || Number(seconds ?? 0) > 59) return null
  const half = attached === undefined ? apart : `${attached.charAt(0).toUpperCase()}M`
  if (half !== null && (Number(hours) > 12 || Number(hours) === 0)) return null
  const hour = cardinal(String(Number(hours)))
  const rest = minutes === undefined ? '' : minutesOf({ hours: Number(hours), minutes, half, last })
  const tail = seconds === undefined ? '' : ` and ${cardinal(String(Number(seconds)))} ${Number(seconds) === 1 ? 'second' : 'seconds'}`
  return { hour, clock: hour + rest + tail, half: half === null ? '' : ` ${half}` }
}

function minutesOf(time: {
  readonly hours: number
  readonly minutes: string
  readonly half: string | null
  readonly last: boolean
}): string {
  const { hours, minutes, half, last } = time
  if (minutes !== '00') return ` ${minutes.startsWith('0') ? 'oh ' : ''}${cardinal(String(Number(minutes)))}`
  if (half !== null || !last) return ''
  return hours >= 1 && hours <= 12 ? " o'clock" : ' hundred'
}

function halfOf({ lead, core }: Token): string | null {
  const letter = lead === '' ? HALF.exec(core)?.[1] : undefined
  return letter === undefined ? null : `${letter.toUpperCase()}M`
}
