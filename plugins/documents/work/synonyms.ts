/**
 * Names of wanted values in schema.org and in metadata, the most likely first. Left: usual names in callers' schemas,
 * without case and separators. Right: properties.
 */
const GROUPS: readonly (readonly [wanted: string, properties: string])[] = [
  ['name title headline producttitle productname articletitle companyname organizationname recipename eventname', 'name headline title'],
  ['jobtitle', 'jobTitle title'],
  ['description summary abstract teaser about', 'description abstract'],
  ['text body content articletext', 'articleBody text reviewBody'],
  ['price amount cost saleprice currentprice unitprice', 'price lowPrice priceAmount'],
  ['total totalamount amountdue amounttopay totaldue grandtotal', 'total totalAmount totalPaymentDue amountDue price'],
  ['currency currencycode pricecurrency', 'priceCurrency currency'],
  ['brand manufacturer make', 'brand manufacturer'],
  ['image imageurl picture photo thumbnail', 'image thumbnailUrl photo'],
  ['logo logourl', 'logo'],
  ['author authors writer byline creator', 'author creator'],
  ['publisher sitename site shop store', 'publisher siteName'],
  [
    'published publishedat publicationdate publishdate datepublished date releasedate',
    'datePublished publishedTime published dateCreated uploadDate date',
  ],
  ['modified modifiedat updated updatedat lastmodified lastupdated', 'dateModified modifiedTime modified'],
  ['url link website homepage permalink canonicalurl', 'url canonical mainEntityOfPage @id'],
  ['rating ratingvalue stars averagerating score', 'ratingValue'],
  ['reviewcount reviews numberofreviews ratingcount ratings', 'reviewCount ratingCount'],
  ['phone phonenumber telephone tel mobile', 'telephone phone phones'],
  ['email emailaddress mail', 'email emails'],
  ['street streetaddress addressline address1', 'streetAddress'],
  ['city town locality', 'addressLocality'],
  ['state region province', 'addressRegion'],
  ['zip zipcode postcode postalcode plz', 'postalCode'],
  ['country countrycode', 'addressCountry'],
  ['latitude lat', 'latitude'],
  ['longitude lng lon', 'longitude'],
  ['instock available availability stock stockstatus', 'availability'],
  ['condition', 'itemCondition'],
  ['sku articlenumber itemnumber productid partnumber', 'sku productID mpn'],
  ['gtin ean barcode upc', 'gtin13 gtin gtin12 gtin14 gtin8 ean'],
  ['isbn', 'isbn'],
  ['color colour', 'color'],
  ['weight', 'weight'],
  ['category categories section genre', 'category articleSection genre'],
  ['keywords tags', 'keywords tags'],
  ['language lang', 'inLanguage language'],
  ['employees employeecount numberofemployees headcount', 'numberOfEmployees'],
  ['founded foundedyear foundingdate founding', 'foundingDate'],
  ['founder founders', 'founder'],
  ['start startdate starttime begins startsat', 'startDate'],
  ['end enddate endtime ends endsat', 'endDate'],
  ['location venue place', 'location'],
  ['organizer organiser host', 'organizer'],
  ['performer performers artist', 'performer byArtist'],
  ['ingredients ingredient', 'recipeIngredient ingredients'],
  ['instructions steps directions', 'recipeInstructions step'],
  ['preptime preparationtime', 'prepTime'],
  ['cooktime cookingtime', 'cookTime'],
  ['totaltime', 'totalTime'],
  ['servings yield portions', 'recipeYield'],
  ['calories', 'calories'],
  ['duration length runtime', 'duration'],
  ['salary pay compensation wage', 'baseSalary'],
  ['employer company hiringorganization organization organisation', 'hiringOrganization worksFor publisher organization'],
  ['employmenttype contracttype', 'employmentType'],
  ['posted postedat dateposted', 'datePosted'],
  ['validuntil expires deadline validthrough expirydate', 'validThrough expires priceValidUntil'],
  ['due duedate paymentdue', 'paymentDueDate dueDate'],
  ['invoicenumber number orderid ordernumber', 'confirmationNumber orderNumber invoiceNumber number identifier'],
  ['customer customername buyer client', 'customer buyer'],
  ['supplier seller vendor merchant', 'seller provider supplier'],
  ['quantity qty', 'orderQuantity quantity'],
  ['opens openinghours hours', 'openingHours openingHoursSpecification'],
  ['director', 'director'],
  ['actors cast', 'actor'],
  ['license licence', 'license'],
  ['version softwareversion', 'softwareVersion version'],
  ['os operatingsystem', 'operatingSystem'],
  ['birthdate dateofbirth born birthday', 'birthDate'],
  ['position role occupation', 'jobTitle roleName'],
  ['question', 'name'],
  ['answer', 'acceptedAnswer text'],
]

/** Properties that may match a wanted name, in key form: the name itself, vocabulary names, other usual names. */
export function propertiesFor(wanted: string): string[] {
  const key = keyOf(wanted)
  const keys = [key, singular(key)]
  const groups = GROUPS.filter(([names]) => names.split(' ').some((name) => keys.includes(name)))
  const found = [...groups.map(([, properties]) => properties), ...groups.map(([names]) => names)].flatMap((names) => names.split(' '))
  return [...new Set([...keys, ...found.map(keyOf)])]
}

/** A name without case and separators: `price_currency` and `priceCurrency` are the same. */
export function keyOf(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}@]+/gu, '')
}

/** An English plural without its ending. */
export function singular(key: string): string {
  if (key.length > 4 && key.endsWith('ies')) return `${key.slice(0, -3)}y`
  return key.length > 3 && key.endsWith('s') && !key.endsWith('ss') ? key.slice(0, -1) : key
}
