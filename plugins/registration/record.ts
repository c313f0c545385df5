/** The port's answer for a registered name, without its source. */
export interface RegistrationRecord {
  registrar: {
    name: string | null
    iana_id: string | null
    url: string | null
    abuse_email: string | null
    abuse_phone: string | null
  } | null
  created: string | null
  updated: string | null
  expires: string | null
  status: string[]
  name_servers: string[]
  dnssec: boolean | null
  registrant: Registrant | null
}

export interface Registrant {
  name: string | null
  organization: string | null
  state: string | null
  country: string | null
  email: string | null
}

/** An empty record. */
export function emptyRecord(): RegistrationRecord {
  return { registrar: null, created: null, updated: null, expires: null, status: [], name_servers: [], dnssec: null, registrant: null }
}

/** The registry's record completed from the registrar's copy; dates, status, name servers and DNSSEC of the registry take precedence. */
export function completed(registry: RegistrationRecord, copy: RegistrationRecord): RegistrationRecord {
  const { registrar } = registry
  return {
    registrar:
      registrar === null || copy.registrar === null
        ? (registrar ?? copy.registrar)
        : {
            name: registrar.name ?? copy.registrar.name,
            iana_id: registrar.iana_id ?? copy.registrar.iana_id,
            url: registrar.url ?? copy.registrar.url,
            abuse_email: registrar.abuse_email ?? copy.registrar.abuse_email,
            abuse_phone: registrar.abuse_phone ?? copy.registrar.abuse_phone,
          },
    created: registry.created ?? copy.created,
    updated: registry.updated ?? copy.updated,
    expires: registry.expires ?? copy.expires,
    status: registry.status.length > 0 ? registry.status : copy.status,
    name_servers: registry.name_servers.length > 0 ? registry.name_servers : copy.name_servers,
    dnssec: registry.dnssec ?? copy.dnssec,
    registrant: registry.registrant ?? copy.registrant,
  }
}
