// SPDX-License-Identifier: Apache-2.0
// Convolutions as products of matrices. Two images belong to each: a wide one [N, C, d, h, w], over
// which windows move, and a narrow one with a place for each window. A convolution computes the
// narrow one of the wide one; a transposed convolution, and the gradient of a plain one, go the
// other way.
#pragma once

#include <array>
#include <cstdint>

#include "runtime/aclnn/matrix/product.h"
#include "runtime/aclnn/view/view.h"

namespace aclnn {

/// Along d, h and w; dims that an image lacks have one place.
struct Windows {
  std::array<std::int64_t, 3> wide{1, 1, 1}, narrow{1, 1, 1}, kernel{1, 1, 1};
  std::array<std::int64_t, 3> stride{1, 1, 1}, before{0, 0, 0}, after{0, 0, 0}, dilation{1, 1, 1};
  std::int64_t groups = 1;
};

/// All images are [N, C, d, h, w], weights [narrow channels, wide channels / groups, d, h, w].
Work narrow_of_wide(const Windows& windows, const View& wide, const View& weight,
                    const View& narrow, const FinishTile<float>& finish);
Work wide_of_narrow(const Windows& windows, const View& narrow, const View& weight,
                    const View& wide, const FinishTile<float>& finish);
Work weight_of_images(const Windows& windows, const View& wide, const View& narrow,
                      const View& weight);

}  // namespace aclnn
