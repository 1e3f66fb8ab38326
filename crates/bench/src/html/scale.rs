//! Axes.

/// Maps times to a length on a logarithmic axis.
#[derive(Clone, Copy, Debug)]
pub struct LogScale {
    low: f64,
    high: f64,
    length: f64,
}

impl LogScale {
    /// An axis of `length` that covers all of `values` in whole powers of ten. Values below `floor`
    /// are drawn at it: differences of milliseconds are noise.
    pub fn covering(values: impl IntoIterator<Item = f64>, floor: f64, length: f64) -> Self {
        let (mut low, mut high) = (f64::INFINITY, floor * 10.0);
        for value in values {
            low = low.min(value.max(floor));
            high = high.max(value);
        }
        let low = if low.is_finite() {
            10_f64.powf(low.log10().floor())
        } else {
            floor
        };
        let high = 10_f64.powf((high.log10() - 1e-9).ceil());
        LogScale {
            low,
            high: high.max(low * 10.0),
            length,
        }
    }

    /// Where a value lies, from 0 to the length.
    pub fn position(&self, value: f64) -> f64 {
        let share = (value.max(self.low) / self.low).log10() / (self.high / self.low).log10();
        share.min(1.0) * self.length
    }

    /// The powers of ten on the axis with their labels.
    pub fn ticks(&self) -> Vec<(f64, String)> {
        let mut ticks = Vec::new();
        let mut exponent = self.low.log10().round() as i32;
        while 10_f64.powi(exponent) <= self.high * 1.001 {
            let value = 10_f64.powi(exponent);
            ticks.push((value, format!("{value}")));
            exponent += 1;
        }
        ticks
    }
}

/// Steps of a linear axis from 0 to `high`: about five round numbers.
pub fn linear_ticks(high: usize) -> Vec<usize> {
    let rough = (high as f64 / 5.0).max(1.0);
    let power = 10_f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0]
        .into_iter()
        .map(|factor| factor * power)
        .find(|&step| step >= rough);
    let step = (step.unwrap_or(rough) as usize).max(1);
    (0..=high).step_by(step).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_logarithmic_axis_covers_its_values_in_powers_of_ten() {
        let scale = LogScale::covering([0.03, 2.0, 70.0], 0.01, 400.0);
        assert_eq!(scale.ticks().len(), 5);
        assert!((scale.position(0.01) - 0.0).abs() < 1e-6);
        assert!((scale.position(1.0) - 200.0).abs() < 1e-6);
        assert!((scale.position(1e9) - 400.0).abs() < 1e-6);
        assert!((scale.position(0.0) - 0.0).abs() < 1e-6);
    }

    #[test]
    fn an_axis_of_nothing_is_still_an_axis() {
        let scale = LogScale::covering([], 0.01, 100.0);
        assert!(scale.ticks().len() >= 2);
        assert_eq!(linear_ticks(0), [0]);
        assert_eq!(linear_ticks(48), [0, 10, 20, 30, 40]);
    }
}
