/**
 * Long-run variance of values by the stationary bootstrap with its number of draws taken to infinity (Politis and Romano, 1994;
 * formula of Hansen, 2005): γ₀ + 2 Σ κᵢ γᵢ with κᵢ = (1 − i/n) qⁱ + (i/n) qⁿ⁻ⁱ and q = 1 − 1/block.
 *
 * Sums over all pairs of values are running sums here, so that the cost is that of one pass.
 *
 * @param x The values less their mean
 * @param block Mean length of a block
 */
export function stationaryVariance(x: Float64Array, block: number): number {
  const n = x.length;
  const q = 1 - 1 / block;
  // Σ qⁱ x[t + i] and Σ i qⁱ x[t + i] over the later values, updated from the last value to the first.
  let [later, laterByLag] = [0, 0];
  let near = 0;
  let squares = 0;
  for (let t = n - 1; t >= 0; t--) {
    near += x[t]! * (later - laterByLag / n);
    squares += x[t]! ** 2;
    laterByLag = q * (x[t]! + later + laterByLag);
    later = q * (x[t]! + later);
  }
  // Σ x[s] qˢ and Σ s x[s] qˢ over the earlier values.
  let [earlier, earlierByPlace] = [0, 0];
  let far = 0;
  for (let t = 0; t < n; t++) {
    far += x[t]! * q ** (n - t) * (t * earlier - earlierByPlace) / n;
    earlier += x[t]! * q ** t;
    earlierByPlace += t * x[t]! * q ** t;
  }
  return (squares + 2 * (near + far)) / n;
}
