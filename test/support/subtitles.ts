/** One subtitle as it is in a file. Times are milliseconds. */
export interface ReadCue {
  readonly start: number
  readonly end: number
  readonly lines: readonly string[]
}

const SRT_TIME = /^(\d{2,}):([0-5]\d):([0-5]\d),(\d{3}) --> (\d{2,}):([0-5]\d):([0-5]\d),(\d{3})$/
const VTT_TIME = /^(\d{2,}):([0-5]\d):([0-5]\d)\.(\d{3}) --> (\d{2,}):([0-5]\d):([0-5]\d)\.(\d{3})$/

/** Reads SubRip to the letter: throws an Error at the first deviation. */
export function readSrt(text: string): ReadCue[] {
  if (text === '') return []
  if (!text.endsWith('\n') || text.includes('\r') || text.includes('\n\n\n')) throw new Error('lines do not end as they should')
  return text
    .slice(0, -1)
    .split('\n\n')
    .map((block, at) => {
      const [number, time = '', ...lines] = block.split('\n')
      if (number !== String(at + 1)) throw new Error(`number ${number} in place of ${at + 1}`)
      return cue(SRT_TIME.exec(time), lines, block)
    })
}

/** Reads WebVTT (https://www.w3.org/TR/webvtt1/, section 4) without identifiers, settings and tags: throws an Error at the first deviation. */
export function readVtt(text: string): ReadCue[] {
  if (!text.startsWith('WEBVTT\n\n') || !text.endsWith('\n') || text.includes('\r') || text.includes('\n\n\n'))
    throw new Error('no WebVTT, or lines do not end as they should')
  return text
    .slice('WEBVTT\n\n'.length, -1)
    .split('\n\n')
    .map((block) => {
      const [time = '', ...lines] = block.split('\n')
      if (lines.some((line) => /[<>]|&(?!(?:amp|lt|gt);)/.test(line))) throw new Error(`a sign that is not escaped in ${block}`)
      const plain = lines.map((line) => line.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&'))
      return cue(VTT_TIME.exec(time), plain, block)
    })
}

function cue(found: RegExpExecArray | null, lines: readonly string[], block: string): ReadCue {
  if (found === null || lines.length === 0 || lines.some((line) => line.trim() === '' || line.includes('-->')))
    throw new Error(`no subtitle: ${JSON.stringify(block)}`)
  const [, h = '', m = '', s = '', ms = '', toH = '', toM = '', toS = '', toMs = ''] = found
  const time = (hours: string, minutes: string, seconds: string, rest: string): number =>
    ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000 + Number(rest)
  return { start: time(h, m, s, ms), end: time(toH, toM, toS, toMs), lines }
}

/** A word that was spoken, in seconds. */
export interface HeardWord {
  readonly text: string
  readonly start: number
  readonly end: number
  readonly speaker: number | null
}

const ARTICLES_AND_PREPOSITIONS = /^(?:a|an|the|of|in|on|at|to|for|from|with|by|into|under|over|between|without)$/i
const SEGMENTER = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
const graphemes = (text: string): number => [...SEGMENTER.segment(text)].length

/**
 * What is wrong with subtitles of words, as sentences; empty when nothing is. Written by the rules alone, independent of the code that makes subtitles. `fast`
 * leaves out what no subtitle of fast speech can keep: its time on screen.
 */
export function faultsOf(cues: readonly ReadCue[], words: readonly HeardWord[], { english = false, fast = false } = {}): string[] {
  const faults: string[] = []
  const squeezed = (text: string): string => text.replace(/\s/g, '')
  const speaks = words.some(({ speaker }) => speaker !== null)
  let at = 0
  let rest = ''
  let speaker: number | null = null
  cues.forEach(({ start, end, lines }, index) => {
    const say = (fault: string): void => void faults.push(`${index + 1} (${lines.join(' | ')}, ${start} to ${end}): ${fault}`)
    const before = cues[index - 1]
    if (lines.length > 2) say('more than two lines')
    if (lines.some((line) => graphemes(line) > 42)) say('more than 42 characters in a line')
    if (end - start > 7000) say('longer than seven seconds')
    if (before !== undefined && start - before.end < 80) say('less than two frames behind the one before')
    if (end <= start) say('ends before it begins')
    const characters = lines.reduce((sum, line) => sum + graphemes(line), 0)
    if (!fast && end - start < 833) say('shorter than five sixths of a second')
    if (!fast && characters / ((end - start) / 1000) > 20.01) say('more than 20 characters a second')
    const first = words[at]
    if (rest === '' && first !== undefined && Math.abs(start - first.start * 1000) > 120)
      say(`begins away from its speech at ${first.start}`)
    for (const [place, line] of lines.entries()) {
      const turned = rest === '' && speaks && (words[at]?.speaker ?? null) !== speaker && at > 0
      if (turned && !line.startsWith('- ')) say('no dash where another speaker begins')
      let text = squeezed(line.replace(/^- /, ''))
      let last = ''
      while (text !== '') {
        if (rest === '') {
          const word = words[at]
          if (word === undefined) return say(`"${text}" is too much`)
          if (last !== '' && speaks && word.speaker !== speaker) say('two speakers in one line')
          rest = squeezed(word.text)
          speaker = word.speaker
          last = word.text
          at++
        }
        const taken = rest.startsWith(text) ? text : text.startsWith(rest) ? rest : ''
        if (taken === '') return say(`"${text}" is where "${rest}" was said`)
        rest = rest.slice(taken.length)
        text = text.slice(taken.length)
      }
      const more = place < lines.length - 1 || index < cues.length - 1
      if (english && more && ARTICLES_AND_PREPOSITIONS.test(last) && words[at]?.speaker === speaker) say(`a line ends with "${last}"`)
    }
  })
  if (at < words.length || rest !== '') faults.push(`"${rest}${words[at]?.text ?? ''}" and what follows is missing`)
  return faults
}
