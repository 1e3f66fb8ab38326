//! What every enumeration of words derives.

/// Defines an enumeration whose variants have names in kebab case: `name`, `ALL`, `Display`, `FromStr`, the JSON form and,
/// with the feature `clap`, the values of a flag.
macro_rules! vocabulary {
    ($(#[$meta:meta])* pub enum $name:ident { $($variants:tt)* }) => {
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[derive(serde::Serialize, serde::Deserialize)]
        #[derive(strum::Display, strum::EnumCount, strum::EnumString, strum::IntoStaticStr, strum::VariantArray)]
        #[serde(rename_all = "kebab-case")]
        #[strum(serialize_all = "kebab-case")]
        #[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
        $(#[$meta])*
        pub enum $name { $($variants)* }

        impl $name {
            /// All variants, in the order of their definition.
            pub const ALL: [Self; <Self as strum::EnumCount>::COUNT] = {
                let variants = <Self as strum::VariantArray>::VARIANTS;
                let mut all = [variants[0]; <Self as strum::EnumCount>::COUNT];
                let mut index = 1;
                while index < all.len() {
                    all[index] = variants[index];
                    index += 1;
                }
                all
            };

            /// The name in flags, settings, JSON and messages.
            pub fn name(self) -> &'static str {
                self.into()
            }
        }
    };
}
