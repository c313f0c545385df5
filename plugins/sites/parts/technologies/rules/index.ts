import type { RuleGroup } from '../rule.js'
import { advertising } from './advertising.js'
import { analytics } from './analytics.js'
import { builders } from './builders.js'
import { captcha } from './captcha.js'
import { chat } from './chat.js'
import { cms } from './cms.js'
import { consent } from './consent.js'
import { delivery } from './delivery.js'
import { errors } from './errors.js'
import { experiments } from './experiments.js'
import { fonts } from './fonts.js'
import { frameworks } from './frameworks.js'
import { generators } from './generators.js'
import { languages } from './languages.js'
import { libraries } from './libraries.js'
import { maps } from './maps.js'
import { marketing } from './marketing.js'
import { payment } from './payment.js'
import { platforms } from './platforms.js'
import { search } from './search.js'
import { servers } from './servers.js'
import { shops } from './shops.js'
import { social } from './social.js'
import { tags } from './tags.js'
import { video } from './video.js'
import { wordpress } from './wordpress.js'

/** All rules, by category. */
export const RULES: readonly RuleGroup[] = [
  cms,
  builders,
  shops,
  generators,
  wordpress,
  frameworks,
  libraries,
  languages,
  servers,
  delivery,
  platforms,
  analytics,
  tags,
  advertising,
  marketing,
  consent,
  experiments,
  errors,
  fonts,
  chat,
  payment,
  search,
  video,
  maps,
  social,
  captcha,
]
