import type { RuleGroup } from '../rule.js'
import { servers } from './servers.js'

/** All rules, by category. */
export const RULES: readonly RuleGroup[] = [servers]
