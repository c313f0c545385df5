import { row, type Say } from '../files/figure.js'
import { made, transcript, withSpeech } from './world.js'

const SECONDS = '12'
const source = (graph: string): string[] => ['-f', 'lavfi', '-i', graph, '-t', SECONDS]
/** A tone of this pitch, an expression of FFmpeg, with its overtones. */
const string = (pitch: string): string => `(sin(2*PI*t*${pitch})+0.5*sin(4*PI*t*${pitch})+0.25*sin(6*PI*t*${pitch}))`
/** Steps of a melody, in semitones, one each half second. */
const melody = (semitones: string): string => `220*pow(2\\,mod(floor(t*2)*${semitones}\\,12)/12)`

/** Sounds in which nobody speaks. */
const SOUNDS: Readonly<Record<string, string[]>> = {
  silence: source('anullsrc'),
  'faint noise': source('anoisesrc=color=white:amplitude=0.002:seed=1'),
  'white noise': source('anoisesrc=color=white:amplitude=0.2:seed=2'),
  'pink noise': source('anoisesrc=color=pink:amplitude=0.4:seed=3'),
  'brown noise': source('anoisesrc=color=brown:amplitude=0.4:seed=4'),
  'noise in waves': [...source('anoisesrc=color=pink:amplitude=0.4:seed=5'), '-af', 'tremolo=f=0.4:d=0.9'],
  hum: source('aevalsrc=0.2*sin(2*PI*50*t)+0.1*sin(2*PI*100*t)+0.05*sin(2*PI*150*t)'),
  'a siren': source('aevalsrc=0.3*sin(2*PI*600*t+200*sin(2*PI*0.5*t))'),
  'a plucked melody': source(`aevalsrc=0.3*exp(-3*mod(t\\,0.5))*${string(melody('7'))}`),
  'a bowed melody': source(`aevalsrc=0.2*sin(2*PI*t*${melody('5')}+0.6*sin(2*PI*5.5*t))*(0.6+0.4*sin(2*PI*0.7*t))`),
  chords: source(`aevalsrc=0.1*(${['220', '277.18', '329.63'].map(string).join('+')})*(0.7+0.3*sin(2*PI*0.25*t))`),
  drums: source('aevalsrc=0.5*(random(0)*2-1)*exp(-18*mod(t\\,0.25))+0.5*sin(2*PI*60*t)*exp(-9*mod(t\\,0.5))'),
}

/** Silence, noise and music, in which Whisper must recognise no words. */
export async function benchUnspoken(say: Say): Promise<void> {
  await withSpeech({}, async (world) => {
    const heard: string[] = []
    for (const [at, [name, options]] of Object.entries(SOUNDS).entries()) {
      const words = await transcript(world, made(world.folder, `${String(at)}.wav`, ...options))
      if (words !== '') heard.push(`${name}: "${words}"`)
    }
    const count = String(Object.keys(SOUNDS).length)
    say(row(`files of ${count} with silence, noise or music in which words are recognised`, heard.length, { most: 0, unit: 'files' }))
    for (const each of heard) say(`  ${each}`)
  })
}
