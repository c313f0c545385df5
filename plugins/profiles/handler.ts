import { Fault, handle, mostUseful, type PortAnswer } from '../../core/sdk/index.js'
import { profilesFind, profileVendors, type ProfileRequest } from './contract.js'
import { isFull, profileOf } from './merge.js'
import type { PersonRecord } from './record.js'
import { matchesRequest, namesOf, peopleOf } from './same-person.js'
import { settings } from './settings.js'
import { suppression } from './suppressed.js'

/** The call has 30 s; the rest is for cancelling the vendors that are still running, and for the answer. */
const WITHIN_MS = 25_000
const UNKNOWN = 'No source has this person.'

type Answer = PortAnswer<PersonRecord>

/** Calls vendors until every field is filled, and merges the records of the requested person. */
export const profilesHandler = handle(
  profilesFind,
  async ({ linkedin_url = null, first_name = null, last_name = null, company = null, include_image }, ctx) => {
    const request = { linkedin_url, first_name, last_name, company, include_image }
    const isSuppressed = suppression(ctx.settings.suppressed)
    if (isSuppressed(whomOf(request))) throw new Fault('missing', UNKNOWN, { final: true })
    const failures: Fault[] = []
    const answers = await ctx.gather(profileVendors, request, {
      atOnce: ctx.settings.at_once,
      atMost: ctx.settings.most_vendors,
      withinMs: Math.min(WITHIN_MS, ctx.timeLeft()),
      onFailure: (fault) => void (fault.kind === 'missing' || failures.push(fault)),
      until: (all) => {
        const [person] = found(all, request)
        return person !== undefined && isFull(profileOf(person).profile, include_image)
      },
    })
    const [person, ...others] = found(answers, request)
    // Records of other people do not show whether a failed vendor has this person.
    if (person === undefined && failures.length > 0) throw mostUseful(failures)
    if (person === undefined || person.some(({ data }) => isSuppressed(whoIs(data)))) throw new Fault('missing', UNKNOWN)
    const left = answers.filter((answer) => !person.includes(answer))
    if (others.length > 0)
      ctx.note(
        `Several people fit; the one of ${listed(person)} is given, and the records of ${listed(others.flat())} are not mixed into it.`,
      )
    else if (left.length > 0) ctx.note(`The records of ${listed(left)} were left out: nothing shows that they are of the same person.`)
    const { profile, remarks } = profileOf(person)
    for (const remark of remarks) ctx.note(remark)
    return {
      ...profile,
      // The person has the requested name, which some sources do not split.
      ...(linkedin_url === null ? { first_name: profile.first_name ?? first_name, last_name: profile.last_name ?? last_name } : {}),
      profile_image_url: include_image ? profile.profile_image_url : null,
    }
  },
  { settings },
)

/** The people in the answers who match the request, the one of the first vendor first. */
function found(answers: readonly Answer[], request: ProfileRequest): [Answer, ...Answer[]][] {
  return peopleOf(answers).flatMap((person): [Answer, ...Answer[]][] => {
    const [first, ...rest] = person
    return first !== undefined && person.some(({ data }) => matchesRequest(data, request)) ? [[first, ...rest]] : []
  })
}

const listed = (answers: readonly Answer[]): string => answers.map(({ provider }) => provider).join(' and ')

function whomOf({ linkedin_url, first_name: first, last_name: last, company }: ProfileRequest) {
  return {
    linkedin_url,
    names: first === null || last === null ? [] : [`${first} ${last}`],
    companies: company === null ? [] : [company],
  }
}

function whoIs(data: PersonRecord) {
  const companies = [data.company, ...data.experience.map((job) => job.company), ...data.employers]
  return { linkedin_url: data.linkedin_url, names: namesOf(data), companies: companies.filter((name) => name !== null) }
}
