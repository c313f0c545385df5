import { whoosh, wind } from './recipes/air.js'
import { bell, shatter } from './recipes/bells.js'
import { birds, crickets } from './recipes/creatures.js'
import { crackle, fire, thunder } from './recipes/fire.js'
import { click, footsteps, impact, knock } from './recipes/knocks.js'
import { alarm, beep, siren } from './recipes/signals.js'
import { clock, fan, heartbeat, hum, motor } from './recipes/steady.js'
import { noise, sweep, tone } from './recipes/tones.js'
import { rain, sea, shower, stream } from './recipes/water.js'
import type { Recipe } from './scene.js'

/** All recipes; among those with the same words, the first is used, except for words such as storm that mean both. */
export const RECIPES: readonly Recipe[] = [
  ...[heartbeat, alarm, siren, footsteps, knock, sweep, clock, click, bell, shatter, birds, crickets],
  ...[rain, thunder, wind, sea, stream, shower, fire, crackle],
  ...[whoosh, impact, beep, hum, fan, motor, noise, tone],
]
