import { capability, flat, nullable, or, port, Type, type Static } from '../../core/sdk/index.js'
import { violations } from './violations.js'
import { canonicalLinkedIn } from './linkedin.js'
import { personRecord, profile } from './record.js'

const name = (description: string) => Type.String({ minLength: 1, maxLength: 200, pattern: '\\S', description })

/** What vendors are asked: an address in its one form, or a name with a company; an address comes with a name only where the caller gave one. */
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

/** Who a person is, what they do and did, and where they studied. */
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
    'Finds the professional profile of a person: name, headline, current company and title, place, summary, jobs, education, skills, picture. Give ' +
    'linkedin_url, or first_name, last_name and company. Several sources are asked and merged field by field; metadata.notes says which source a ' +
    'field is from and where sources disagree. Records are merged only when company, school or place agree, so that people of one name are never ' +
    'mixed. The current job comes first and is the one of company and title. Dates are YYYY-MM, or YYYY where no month is known. What nobody knows ' +
    'is null or an empty list; a person whom nobody knows is no-result and free.',
  input: Type.Object({
    linkedin_url: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1000,
        description: 'Address of a LinkedIn profile (/in/ or /pub/, any country). The address itself is never opened.',
      }),
    ),
    first_name: Type.Optional(name('First name; with last_name and company in place of linkedin_url.')),
    last_name: Type.Optional(name('Last name.')),
    company: Type.Optional(name('Company the person works or worked for: its name or domain.')),
    include_image: or(Type.Boolean({ description: 'Whether the address of a picture is wanted.' }), true),
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
    { title: 'By LinkedIn address', params: { linkedin_url: 'https://www.linkedin.com/in/ada-lovelace' } },
    { title: 'By name and company', params: { first_name: 'Ada', last_name: 'Lovelace', company: 'Analytical Engines' } },
    { title: 'Without a picture', params: { first_name: 'Ada', last_name: 'Lovelace', company: 'example.com', include_image: false } },
  ],
})

export type ProfileRequest = Static<typeof profileVendors.input>
