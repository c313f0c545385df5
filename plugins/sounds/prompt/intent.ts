import { wordsOf } from './words.js'

const SAYING = new Set([
  'say',
  'says',
  'saying',
  'speak',
  'speaks',
  'speaking',
  'spoken',
  'narrate',
  'narrates',
  'narrating',
  'narration',
  'narrator',
  'announce',
  'announces',
  'announcing',
  'announcement',
  'recite',
  'recites',
  'reciting',
  'lyrics',
  'dialogue',
  'dialog',
  'monologue',
  'voiceover',
  'speech',
  'tells',
  'telling',
  'reads',
  'reading',
  'tts',
])
const SPEAKERS = new Set([
  'voice',
  'man',
  'woman',
  'child',
  'boy',
  'girl',
  'person',
  'someone',
  'somebody',
  'robot',
  'he',
  'she',
  'they',
  'narrator',
  'announcer',
  'speaker',
  'actor',
  'people',
  'male',
  'female',
])
const UTTERING = new Set([
  'shout',
  'shouts',
  'shouting',
  'whisper',
  'whispers',
  'whispering',
  'talk',
  'talks',
  'talking',
  'sing',
  'sings',
  'singing',
  'yell',
  'yells',
  'yelling',
  'asks',
  'asking',
  'counts',
  'counting',
  'calls',
  'calling',
])
const QUOTES = /["“”„«»]/u
/** These require a named speaker: someone who reads a book in the rain need not do it aloud. */
const WEAK = new Set(['tells', 'telling', 'reads', 'reading', 'speech', 'dialogue', 'dialog'])
const SIGNALS = new Set(['chime', 'chimes', 'bell', 'jingle', 'ding', 'tone', 'signal'])
const LOOPS = new Set(['loop', 'loops', 'looped', 'looping', 'loopable', 'seamless', 'seamlessly'])

/** Whether a prompt requests spoken or sung words: explicitly, or by a quotation that someone utters. */
export function asksForWords(prompt: string): boolean {
  const words = wordsOf(prompt)
  if (words.includes('text') && words.includes('speech')) return true
  const quoted = QUOTES.test(prompt)
  const spoken = words.some((word) => SAYING.has(word))
  const uttered = words.some((word) => UTTERING.has(word))
  const someone = words.some((word) => SPEAKERS.has(word))
  return (
    (spoken && (someone || quoted || hasText(words))) ||
    (quoted && (uttered || someone)) ||
    words.includes('lyrics') ||
    words.includes('voiceover')
  )
}

/** Whether a word follows "say": "say hello". The start of an announcement is not a word. */
function hasText(words: readonly string[]): boolean {
  const at = words.findIndex((word) => SAYING.has(word) && !WEAK.has(word))
  return at >= 0 && at < words.length - 1 && !SIGNALS.has(words[at + 1] ?? '')
}

/** Whether a seamless loop is requested. */
export function asksForLoop(prompt: string): boolean {
  return wordsOf(prompt).some((word) => LOOPS.has(word))
}
