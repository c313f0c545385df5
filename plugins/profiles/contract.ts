import { capability, flat, nullable, or, port, Type, type Static } from '../../core/sdk/index.js'
import { violations } from './violations.js'
import { canonicalLinkedIn } from './linkedin.js'
import { personRecord, profile } from './record.js'

const name = (description: string) => Type.String({ minLength: 1, maxLength: 200, pattern: '\\S', description })

/** Input of the vendors: a canonical LinkedIn URL, or a name with a company; both only if the caller gave both. */
export const profileVendors = port({
  id: 'profiles.find',
  input: Type.Object({
    linkedin_url: or(nullable(Type.String()), null),
    first_name: or(nullable(Type.String()), null),
    last_name: or(nullable(Type.String()), null),
    company: or(nullable(Type.String()), null),
    include_image: or(Type.Boolean(), false),
  }),
  output: personRecord,
})

/** A person's identity, career and education. */
export const profilesFind = capability({
  id: 'profiles.find',
  path: '/v1/profiles/find',
  phrases: [
    { say: '* person background employer career resume cv experience skills education linkedin works job position' },
    { say: 'linkedin profile' },
    { say: 'linkedin' },
    { say: 'professional profile|background' },
    { say: 'profile of {first_name} {last_name} at|from|of {company}' },
    { say: 'career|cv|resume|biography of {first_name} {last_name}' },
    { say: 'work|job|employment history' },
    { say: 'job title|position|role of' },
    { say: 'who is {first_name} {last_name} works|working at|for {company}' },
    { say: 'where does|did work|study|school' },
    { say: 'skills|education|experience of' },
    { say: 'without picture|photo|image', params: { include_image: false } },
  ],
  aliases: ['profiles'],
  title: 'Find a professional profile',
  description:
    'Finds the professional profile of a person: name, headline, current company and title, location, summary, ' +
    'experience, education, skills and image. Give linkedin_url, or first_name, last_name and company. Several ' +
    'providers are queried and their results merged field by field; metadata.notes names the source of each field ' +
    'and any disagreement. Records are merged only if company, school or location agree, so that people with the ' +
    'same name are never mixed. The current job comes first and sets company and title. Dates are YYYY-MM, or YYYY ' +
    'if the month is unknown. Unknown fields are null or empty lists; if no provider knows the person, the call ' +
    'fails with no-result and is not charged.',
  input: Type.Object({
    linkedin_url: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1000,
        description: 'LinkedIn profile URL (/in/ or /pub/, any country). The URL itself is never opened.',
      }),
    ),
    first_name: Type.Optional(name('First name. Without linkedin_url, first_name, last_name and company are required.')),
    last_name: Type.Optional(name('Last name.')),
    company: Type.Optional(name('Current or former employer: its name or domain.')),
    include_image: or(Type.Boolean({ description: 'Whether to return the URL of a profile image.' }), true),
  }),
  output: profile,
  price: flat(3),
  work: 'light',
  timeoutMs: 30_000,
  vendors: profileVendors,
  normalise: (input) =>
    input.linkedin_url === undefined ? input : { ...input, linkedin_url: canonicalLinkedIn(input.linkedin_url) ?? input.linkedin_url },
  check: violations,
  examples: [
    { title: 'By LinkedIn URL', params: { linkedin_url: 'https://www.linkedin.com/in/ada-lovelace' } },
    { title: 'By name and company', params: { first_name: 'Ada', last_name: 'Lovelace', company: 'Analytical Engines' } },
    {
      title: 'Without a profile image',
      params: { first_name: 'Ada', last_name: 'Lovelace', company: 'example.com', include_image: false },
    },
  ],
})

export type ProfileRequest = Static<typeof profileVendors.input>
